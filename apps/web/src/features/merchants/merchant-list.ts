import { toCsv } from '#shared/admin/csv.ts';
import type { Merchant } from './merchants.api.ts';

export const SORT_KEYS = [
  'username',
  'fullName',
  'email',
  'phone',
  'country',
  'defaultCurrency',
  'isBlocked',
  'createdAt',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** Merchants in whose names, contacts, country or id the typed words all occur. */
export function searchMerchants(merchants: readonly Merchant[], typed: string): Merchant[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return merchants.filter(({ username, fullName, email, phone, country, merchantId }) => {
    const text = [username, fullName, email, phone, country, merchantId].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function sortMerchants(merchants: readonly Merchant[], key: SortKey, isDescending: boolean): Merchant[] {
  const sign = isDescending ? -1 : 1;
  return merchants.toSorted(
    (a, b) => sign * String(a[key]).localeCompare(String(b[key]), 'en', { sensitivity: 'base' }),
  );
}

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
