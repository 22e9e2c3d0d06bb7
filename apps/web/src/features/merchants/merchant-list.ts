import { MERCHANT_SORTS, type MerchantSort, MerchantsQuery } from '@vuka/contracts/http/merchants';
import { readFilters, useAddressFilters } from '#shared/address-filters.ts';
import { toCsv } from '#shared/admin/csv.ts';
import type { Merchant } from './merchants.api.ts';

export interface MerchantSorting {
  key: MerchantSort;
  isDescending: boolean;
}

const NEWEST_FIRST = '-createdAt';

/** The search and sort order of the list, from the address. */
export function useMerchantFilters() {
  const { params, change } = useAddressFilters();
  const typed = params.get('search') ?? '';
  const { sort = NEWEST_FIRST } = readFilters<{ sort?: string }>({ sort: MerchantsQuery.shape.sort }, params);
  const sorting: MerchantSorting = {
    key: MERCHANT_SORTS.find((key) => sort.endsWith(key)) ?? 'createdAt',
    isDescending: sort.startsWith('-'),
  };
  return {
    filters: { search: typed.trim().slice(0, LONGEST_SEARCH), sort },
    typed,
    sorting,
    search: (text: string) => change({ search: text }, { replace: true }),
    sortBy: ({ key, isDescending }: MerchantSorting) =>
      change({ sort: isDescending ? `-${key}` : key }, { replace: true }),
  };
}

export const LONGEST_SEARCH = 100;

const HEADER = ['Username', 'Name', 'Merchant ID', 'Email', 'Phone', 'Country', 'Currency', 'Status', 'Registered'];

function statusOf({ isBlocked, lockedUntil }: Merchant): string {
  if (isBlocked) return 'Blocked';
  return lockedUntil ? 'Locked' : 'Active';
}

export function merchantsCsv(merchants: readonly Merchant[]): string {
  const rows = merchants.map((merchant) => [
    merchant.username,
    merchant.fullName,
    merchant.merchantId,
    merchant.email,
    merchant.phone,
    merchant.country,
    merchant.defaultCurrency,
    statusOf(merchant),
    merchant.createdAt,
  ]);
  return toCsv([HEADER, ...rows]);
}
