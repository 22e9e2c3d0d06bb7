import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { DepositCurrency, Id, Money, Pin, Timestamp, WalletCurrency } from './common.ts';
import { DECISION, decisionsQuery } from './decisions.ts';
import { MovementAmount } from './deposits.ts';

export const CreditBalanceRequest = z.object({
  merchantId: z
    .string({ error: reason('merchant_id_invalid') })
    .check(z.regex(/^([A-Z]{4}\d{4}[A-Z]{4}|ADM\d{1,12})$/, { error: reason('merchant_id_invalid') })),
  amount: MovementAmount,
  currency: WalletCurrency,
  /** Required from the only administrator, for an action that otherwise takes two. */
  pin: z.optional(Pin),
});

export const CreditBalanceResult = z.object({
  amount: Money,
  currency: WalletCurrency,
  transactionId: Id,
  merchantId: z.string(),
});

export const CreditStatus = z.enum(['awaiting_approval', 'approved', 'refused']);
export type CreditStatus = z.infer<typeof CreditStatus>;

/**
 * A credit, or a deposit to the administrator's own account, above the approval limit: one administrator requests it,
 * another decides.
 */
export const LargeCredit = z.object({
  id: Id,
  kind: z.enum(['credit', 'deposit']),
  createdAt: Timestamp,
  status: CreditStatus,
  amount: Money,
  currency: DepositCurrency,
  merchantId: z.string(),
  merchantName: z.string(),
  /** The merchant's account; null if the account is an administrator's. */
  merchantUserId: z._default(z.nullable(Id), null),
  /** The reason, as entered. */
  reason: z.string(),
  reference: z.string(),
  ...DECISION,
  /** The movement; null if no money has moved. */
  transactionId: z.nullable(Id),
  /** When it ended without a movement, because the account was closed first. */
  endedAt: z._default(z.nullable(Timestamp), null),
  /** Whether the reader requested it, or would receive it: then another administrator has to decide. */
  isOwn: z.boolean(),
});
export type LargeCredit = z.infer<typeof LargeCredit>;

/** `POST /api/admin/credit-balance` and `/deposit` above the limit, with 202; and the answer to a decision. */
export const LargeCreditAnswer = z.object({ credit: LargeCredit });

/**
 * `GET /api/admin/credits/recent`: the last credits to wallets, newest first, without those that wait or were refused.
 */
export const RECENT_CREDITS = 8;
export const RecentCredits = z.object({
  credits: z.array(
    z.object({
      id: Id,
      createdAt: Timestamp,
      amount: Money,
      currency: DepositCurrency,
      merchantId: z.string(),
      /** Empty for credits of older releases. */
      merchantName: z.string(),
      /** The administrator who made or requested it. */
      madeBy: z.string(),
      /** Null while the money is on its way. */
      transactionId: z.nullable(Id),
    }),
  ),
});
export type RecentCredits = z.infer<typeof RecentCredits>;

/** `GET /api/admin/credits`: open requests oldest first, otherwise newest first. */
export const LargeCreditsQuery = decisionsQuery(CreditStatus.options);
export type LargeCreditsQuery = z.infer<typeof LargeCreditsQuery>;

/** `nextCursor` is null on the last page. */
export const LargeCredits = z.object({ credits: z.array(LargeCredit), nextCursor: z.nullable(Id) });
export type LargeCredits = z.infer<typeof LargeCredits>;
