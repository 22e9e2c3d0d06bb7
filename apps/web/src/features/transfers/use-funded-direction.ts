import type { Balances } from '@vuka/contracts/http/balances';
import { corridorOf, DIRECTIONS, directionFrom } from '@vuka/money/directions';
import { useEffect, useRef } from 'react';
import { isEmpty, type TransferDraft } from './transfer-draft.ts';

type Direction = TransferDraft['direction'];

/** The direction of the default currency, or, if that wallet is empty, of one that has money. */
export function fundedDirection(balances: Balances, currency: string): Direction {
  const hasMoney = (direction: Direction): boolean => Number(balances.balances[corridorOf(direction).source]) >= 1;
  const own = directionFrom(currency);
  return hasMoney(own) ? own : (DIRECTIONS.find(hasMoney) ?? own);
}

interface FundedDirectionOptions {
  draft: TransferDraft;
  balances: Balances | null | undefined;
  currency: string;
  /** Whether the user opened the page for a direction. */
  isAsked: boolean;
  onDirection: (direction: Direction) => void;
}

/** Chooses the direction of an untouched form, once, when the balances arrive: 0 KES cannot be sent. */
export function useFundedDirection({ draft, balances, currency, isAsked, onDirection }: FundedDirectionOptions): void {
  const isDone = useRef(isAsked);
  useEffect(() => {
    if (isDone.current || !balances) return;
    isDone.current = true;
    const funded = fundedDirection(balances, currency);
    if (isEmpty(draft) && draft.direction === directionFrom(currency) && draft.direction !== funded)
      onDirection(funded);
  }, [draft, balances, currency, onDirection]);
}
