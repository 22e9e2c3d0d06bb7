import type { TransactionItem } from '#shared/api/transactions.api.ts';
import { toWholeUnits } from '#shared/format/money.ts';
import { hasFailed } from '#shared/status-view.ts';

const MIN_TRANSFERS = 5;
const UNUSUAL_FACTOR = 5n;

type PastTransfer = Pick<TransactionItem, 'sourceAmount' | 'sourceCurrency' | 'status' | 'metadata'>;

/** The median amount that the user sent in a currency, in whole units. Undefined if there are too few transfers. */
export function usualAmount(items: readonly PastTransfer[], currency: string): bigint | undefined {
  const sent = items
    .filter((item) => item.metadata.transactionType === 'DEBIT' && item.sourceCurrency === currency)
    .filter((item) => !hasFailed(item.status))
    .map((item) => toWholeUnits(item.sourceAmount) ?? 0n)
    .sort((a, b) => (a < b ? -1 : 1));
  return sent.length < MIN_TRANSFERS ? undefined : sent[Math.floor(sent.length / 2)];
}

/** Whether `digits` is so far above the usual amount that an extra zero is likely. */
export function isUnusual(digits: string, usual: bigint | undefined): boolean {
  return usual !== undefined && digits !== '' && BigInt(digits) > usual * UNUSUAL_FACTOR;
}
