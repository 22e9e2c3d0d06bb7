import { queryOptions } from '@tanstack/react-query';
import { Direction } from '@vuka/contracts/http/common';
import { TransactionListItem } from '@vuka/contracts/http/transfers';
import * as z from 'zod/mini';
import { Amount, orNull, Text } from '#shared/api/fields.ts';
import { TRANSACTIONS_KEY } from '#shared/api/keys.ts';
import { callApi } from '#shared/api-client.ts';

// Older records have other status words, in either case: see statusView.
export const Status = z.string();

export const ListItem = z.extend(TransactionListItem, {
  id: Text,
  createdAt: Text,
  updatedAt: z._default(Text, ''),
  sourceAmount: Amount,
  targetAmount: Amount,
  exchangeRate: orNull(Text),
  direction: orNull(Direction),
  status: Status,
});
export type TransactionItem = z.infer<typeof ListItem>;

export const STALE_MS = { dashboard: 20_000, history: 30_000 } as const;

export function transactionsQuery(place: keyof typeof STALE_MS) {
  return queryOptions({
    queryKey: TRANSACTIONS_KEY,
    queryFn: ({ signal }) => callApi('/api/transactions', z.array(ListItem), { signal }),
    staleTime: STALE_MS[place],
    refetchInterval: 30_000,
    refetchOnWindowFocus: true,
  });
}

export const HISTORY_KEY = [...TRANSACTIONS_KEY, 'history'] as const;

export function receiptKey(id: string) {
  return [...TRANSACTIONS_KEY, id] as const;
}
