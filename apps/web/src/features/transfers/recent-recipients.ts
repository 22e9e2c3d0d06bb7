import type { TransactionItem } from '#shared/api/transactions.api.ts';

const LIMIT = 8;

/** The numbers with a country's prefix that the user last sent to, newest first, without duplicates. */
export function recentRecipients(
  items: readonly Pick<TransactionItem, 'recipientPhone' | 'metadata' | 'createdAt'>[],
  prefix: string,
): string[] {
  const sent = items.filter(
    (item) => item.metadata.transactionType === 'DEBIT' && item.recipientPhone?.startsWith(prefix),
  );
  const newestFirst = [...sent].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  return [...new Set(newestFirst.map((item) => item.recipientPhone ?? ''))].slice(0, LIMIT);
}
