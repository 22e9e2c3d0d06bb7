import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { corridorOf } from '@vuka/money/directions';
import type { ReactNode } from 'react';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { amountInWords } from '#shared/format/amount-in-words.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n, language } from '#shared/i18n/i18n.ts';
import { LimitNotice } from '#shared/limits/limit-notice.tsx';
import { InputWarning } from '#shared/ui/input-warning.tsx';
import type { TransferDraft } from './transfer-draft.ts';
import { isUnusual, usualAmount } from './usual-amount.ts';

const MESSAGES = i18n('amount-check', {
  unusual: params('This is more than 5 times what you usually send ({usual}).'),
});

const WORDS_FROM = 100_000n;

interface AmountCheckProps {
  draft: TransferDraft;
  /** Another error is shown: a limit beside it would be a second, different maximum. */
  isRefused: boolean;
  /** See LimitNotice. */
  instead: { fieldId: string; enter: (digits: string) => void };
}

/**
 * Checks an amount while it is typed. Two guards against an extra zero: the amount in words, and a warning if it is far
 * above the user's usual amount. A notice if it exceeds a limit, before the user enters a recipient; but a limit counts an
 * unanswered transfer that was accepted.
 */
export function AmountCheck({ draft, isRefused, instead }: AmountCheckProps): ReactNode {
  const t = useStore(MESSAGES);
  const { amount: digits, attempt, direction } = draft;
  const currency = corridorOf(direction).source;
  const current = useStore(language);
  const { data } = useQuery({ ...transactionsQuery('dashboard'), meta: { silent: true } });
  const usual = usualAmount(data ?? [], currency);
  const inWords = digits !== '' && BigInt(digits) >= WORDS_FROM ? amountInWords(digits, current) : '';
  return (
    <>
      {inWords ? <p className="mt-1.5 text-small text-ink2 first-letter:uppercase">{inWords}</p> : null}
      <InputWarning
        text={
          usual !== undefined && isUnusual(digits, usual)
            ? t.unusual({ usual: formatAmount(usual.toString(), currency) })
            : undefined
        }
      />
      {digits === '' || isRefused || attempt ? null : (
        <div className="*:mt-2">
          <LimitNotice amount={digits} currency={currency} instead={instead} />
        </div>
      )}
    </>
  );
}
