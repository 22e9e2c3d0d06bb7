import { queryOptions } from '@tanstack/react-query';
import { ProviderInquiry, RecoveryPreview, StuckTransactions } from '@vuka/contracts/http/recovery';
import * as z from 'zod/mini';
import { Amount, orNull, Text } from '#shared/api/fields.ts';
import { ApiError, callApi, sendRequest } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const item = StuckTransactions.shape.stuckTransactions.def.element.shape.transaction;
const StuckAnswer = z.object({
  stuckTransactions: z.array(
    z.object({
      transaction: z.extend(item, {
        id: Text,
        createdAt: Text,
        updatedAt: Text,
        sourceAmount: Amount,
        status: Text,
        statusReason: orNull(Text),
        recipientPhone: orNull(Text),
        // Older records may lack what the recipient gets.
        targetAmount: z.nullish(Amount),
        targetCurrency: z.nullish(z.string()),
      }),
    }),
  ),
});
export type StuckTransaction = z.infer<typeof StuckAnswer>['stuckTransactions'][number]['transaction'];

const MESSAGES = i18n('admin/recovery-api', { notFetched: 'Failed to fetch stuck transactions' });

async function fetchStuck(signal: AbortSignal): Promise<StuckTransaction[]> {
  try {
    const answer = await callApi('/api/admin/stuck-transactions', StuckAnswer, { signal });
    return answer.stuckTransactions.map((row) => row.transaction);
  } catch (error) {
    // An error response without a reason.
    if (error instanceof ApiError && !error.body?.error) throw new Error(MESSAGES.get().notFetched, { cause: error });
    throw error;
  }
}

export function stuckTransactionsQuery() {
  return queryOptions({
    queryKey: ['/api/admin/stuck-transactions'],
    queryFn: ({ signal }) => fetchStuck(signal),
    staleTime: 0,
    refetchOnMount: true,
  });
}

export async function retryTransaction(id: string): Promise<void> {
  await sendRequest(`/api/admin/transactions/${encodeURIComponent(id)}/retry`, { method: 'POST' });
}

const pathOf = (id: string) => `/api/admin/transactions/${encodeURIComponent(id)}/recovery`;

export function recoveryQuery(id: string) {
  return queryOptions({
    queryKey: ['/api/admin/transactions', id, 'recovery'],
    queryFn: ({ signal }) => callApi(pathOf(id), RecoveryPreview, { signal }),
    staleTime: 0,
    refetchInterval: 5_000,
    meta: { silent: true },
  });
}

export function inquireProvider(id: string): Promise<ProviderInquiry> {
  return callApi(`${pathOf(id)}/inquire`, ProviderInquiry, { method: 'POST' });
}

/** Filters on the client by id, case-insensitive. */
export function filterById(items: readonly StuckTransaction[], typed: string): StuckTransaction[] {
  const wanted = typed.trim().toLowerCase();
  return items.filter((transaction) => transaction.id.toLowerCase().includes(wanted));
}
