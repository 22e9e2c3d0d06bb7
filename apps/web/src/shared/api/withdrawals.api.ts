import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { LinkedAccounts } from '@vuka/contracts/http/linked-accounts';
import { WithdrawalPrice } from '@vuka/contracts/http/withdrawals';
import { callApi } from '#shared/api-client.ts';

export const LINKED_ACCOUNTS_KEY = ['/api/linked-accounts'] as const;

/** The accounts for withdrawals, defaults first. */
export function linkedAccountsQuery() {
  return queryOptions({
    queryKey: LINKED_ACCOUNTS_KEY,
    queryFn: async ({ signal }) => (await callApi('/api/linked-accounts', LinkedAccounts, { signal })).accounts,
    staleTime: 10_000,
    refetchOnWindowFocus: true,
    meta: { silent: true },
  });
}

export const WITHDRAWAL_PRICE_KEY = ['/api/withdrawals/price'] as const;

/** The current price of a withdrawal of a whole amount to an account. */
export function withdrawalPriceQuery(amount: string, linkedAccountId: string) {
  const asked = new URLSearchParams({ amount, linkedAccountId });
  return queryOptions({
    queryKey: [...WITHDRAWAL_PRICE_KEY, amount, linkedAccountId],
    queryFn: ({ signal }) => callApi(`/api/withdrawals/price?${asked}`, WithdrawalPrice, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 20_000,
    meta: { silent: true },
  });
}
