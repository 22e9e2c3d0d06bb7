import { corridorOf } from '@vuka/money/directions';
import { LimitNotice } from '#shared/limits/limit-notice.tsx';
import type { TransferDraft } from './transfer-draft.ts';

/** Whether a transfer exceeds the sender's limits. */
export function TransferLimit({ amount, direction }: Pick<TransferDraft, 'amount' | 'direction'>) {
  return <LimitNotice amount={amount} currency={corridorOf(direction).source} />;
}
