import type { TransactionItem } from '#shared/api/transactions.api.ts';

const LIMIT = 8;

/** The numbers that the user last sent to, newest first, without duplicates. */
export function recentRecipients(
  items: readonly Pick<TransactionItem, 'recipientPhone' | 'metadata' | 'createdAt'>[],
): string[] {
  const sent = items.filter(
    (item) => item.metadata.transactionType === 'DEBIT' && /^\+25[45]\d{9}$/.test(item.recipientPhone ?? ''),
  );
  const newestFirst = [...sent].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  return [...new Set(newestFirst.map((item) => item.recipientPhone ?? ''))].slice(0, LIMIT);
}
