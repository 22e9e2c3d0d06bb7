import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Id, Money, PageSize, Timestamp, WalletCurrency } from './common.ts';
import { Tier } from './tiers.ts';
import { TransactionListItem } from './transfers.ts';

export const Merchant = z.object({
  id: Id,
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  defaultCurrency: WalletCurrency,
  merchantId: z.string(),
  isBlocked: z.boolean(),
  /** After too many wrong PINs, no PIN is accepted before this time. Null if not locked. */
  lockedUntil: z.nullable(Timestamp),
  createdAt: Timestamp,
});
export type Merchant = z.infer<typeof Merchant>;

/** The body of `toggle-block`; without it the state is toggled. */
export const BlockChange = z.nullish(
  z.object({
    /** The desired state. A repeat changes nothing. */
    isBlocked: z.optional(z.boolean({ error: reason('block_not_boolean') })),
  }),
);
export type BlockChange = z.infer<typeof BlockChange>;

/** Sort orders of the list of merchants; a leading `-` reverses the order. */
export const MERCHANT_SORTS = [
  'username',
  'fullName',
  'email',
  'phone',
  'country',
  'defaultCurrency',
  'isBlocked',
  'createdAt',
] as const;
export type MerchantSort = (typeof MERCHANT_SORTS)[number];

const sortsBothWays = MERCHANT_SORTS.flatMap((key) => [key, `-${key}`] as const);

/** Each word may read all merchants. */
const MOST_WORDS = 6;

/** The query of `GET /api/admin/merchants`. Without a limit the answer contains every match, if these are at most 10,000. */
export const MerchantsQuery = z.object({
  /** Words that must all occur in the name, email, phone number, country or merchant id. */
  search: z.optional(
    z.string({ error: reason('filter_not_text', { field: 'Search' }) }).check(
      z.trim(),
      z.maxLength(100, { error: reason('filter_too_long', { field: 'Search', max: 100 }) }),
      z.refine((text) => text.split(/\s+/).length <= MOST_WORDS, {
        error: reason('search_words_too_many', { max: MOST_WORDS }),
      }),
    ),
  ),
  sort: z._default(z.enum(sortsBothWays, { error: reason('sort_unknown') }), '-createdAt'),
  limit: z.optional(PageSize),
  /** From the link to the next page. */
  cursor: z.optional(
    z.string({ error: reason('cursor_invalid') }).check(z.maxLength(1_000, { error: reason('cursor_invalid') })),
  ),
});
export type MerchantsQuery = z.infer<typeof MerchantsQuery>;

/** A merchant with the state of their PIN, and what decides their limits. */
export const MerchantAccount = z.extend(Merchant, {
  failedPinAttempts: z.int(),
  maxPinAttempts: z.int(),
  tier: z._default(Tier, 'unverified'),
  isBusiness: z._default(z.boolean(), false),
});

/** The body of `POST /api/admin/merchants/{id}/business`. */
export const BusinessChange = z.object({ isBusiness: z.boolean({ error: reason('business_not_boolean') }) });

const WalletState = z.object({ posted: Money, held: Money, available: Money });

/** What a merchant's settled transfers of one East African day sent. */
export const VolumeDay = z.object({ day: z.iso.date(), sent: z.object(byCurrency(WALLET_CURRENCIES, () => Money)) });
export type VolumeDay = z.infer<typeof VolumeDay>;

/** `GET /api/admin/merchants/{id}`. Parts whose service did not answer in time are null. */
export const MerchantDetail = z.object({
  merchant: MerchantAccount,
  balances: z.nullable(z.object(byCurrency(WALLET_CURRENCIES, () => WalletState))),
  recentTransactions: z.nullable(z.array(TransactionListItem)),
  /** The last thirty days, oldest first, without gaps; the last one is today. */
  volumes: z._default(z.nullable(z.array(VolumeDay)), null),
});
export type MerchantDetail = z.infer<typeof MerchantDetail>;
