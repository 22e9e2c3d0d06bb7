import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { Money, Timestamp } from './common.ts';

const Amounts = z.object(byCurrency(WALLET_CURRENCIES, () => Money));

/** How many days the dashboard covers: of transfers, and of deposits. */
export const TRANSFER_DAYS = 30;
export const DEPOSIT_DAYS = 7;

/** The transfers ordered on one East African day, by their current status, and the amounts of the settled ones. */
export const TransferDay = z.object({
  day: z.iso.date(),
  settled: z.int(),
  failed: z.int(),
  open: z.int(),
  volumes: Amounts,
});
export type TransferDay = z.infer<typeof TransferDay>;

/** `days` are the last thirty, oldest first, without gaps; the last one is today. */
export const TransferSummary = z.object({
  stuck: z.object({ count: z.int(), oldestCreatedAt: z.nullable(Timestamp) }),
  days: z.array(TransferDay),
  /** What the senders of open transfers pay, for those that the provider has been asked to pay out. */
  withProvider: z.optional(Amounts),
  /** The median time from order to delivery of the day's last settled transfers. Null before the first of them. */
  medianDeliveryMs: z.optional(z.nullable(z.int())),
});
export type TransferSummary = z.infer<typeof TransferSummary>;

export const WalletTotals = z.object({ available: Amounts, reserved: Amounts });
export type WalletTotals = z.infer<typeof WalletTotals>;

/**
 * `GET /api/admin/overview`. Parts whose service did not answer in time are null; `parts` lists all services and
 * whether each is ready.
 */
export const AdminOverview = z.object({
  checkedAt: Timestamp,
  parts: z.array(z.object({ name: z.string(), ready: z.boolean() })),
  /** The administrator's available balances. */
  balances: z.nullable(Amounts),
  recentDeposits: z.nullable(z.object({ count: z.int(), days: z.int() })),
  /** Also null if no rate has been set. */
  currentRate: z.nullable(
    z.object({ buyRate: z.number(), markup: z.number(), sellRate: z.number(), updatedAt: Timestamp }),
  ),
  transfers: z.nullable(TransferSummary),
  /** All wallets together: what their owners can spend, and what is reserved for open transfers. */
  wallets: z._default(z.nullable(WalletTotals), null),
});
export type AdminOverview = z.infer<typeof AdminOverview>;
