import { TransactionFilters } from '@vuka/contracts/http/transaction-filters';
import { readFilters, useAddressFilters } from '#shared/address-filters.ts';

export type FilterName = keyof typeof TransactionFilters.shape;

export type FilterChange = Partial<Record<FilterName, string>>;

/** The filters of the history; the back button removes the last one. */
export function useHistoryFilters() {
  const { params, change } = useAddressFilters();
  const clear = (): void => change({ q: '', status: '', direction: '', from: '', to: '' });
  return { filters: readFilters<TransactionFilters>(TransactionFilters.shape, params), change, clear };
}
