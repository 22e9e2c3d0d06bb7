import * as z from 'zod/mini';
import { DepositCurrency, Id, Money, PageLimit, Pin, Timestamp, WalletCurrency } from './common.ts';
import { MovementAmount } from './deposits.ts';
import { Administrator } from './proposals.ts';

export const CreditBalanceRequest = z.object({
  merchantId: z
    .string({ error: 'Invalid merchant ID format' })
    .check(z.regex(/^([A-Z]{4}\d{4}[A-Z]{4}|ADM\d{1,12})$/, { error: 'Invalid merchant ID format' })),
  amount: MovementAmount,
  currency: WalletCurrency,
  /** Of the only administrator, for what otherwise takes two. */
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
 * A credit, or a deposit to the own account, above the approval limit: one administrator asks for it, another one
 * decides.
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
  /** What the money is for, as it was entered. */
  reason: z.string(),
  reference: z.string(),
  requestedBy: Administrator,
  decidedBy: z.nullable(Administrator),
  decidedAt: z.nullable(Timestamp),
  refusalReason: z.nullable(z.string()),
  /** The movement; null while no money has moved. */
  transactionId: z.nullable(Id),
  /** Asked for by whoever reads this, or for their own account: somebody else has to decide. */
  isOwn: z.boolean(),
});
export type LargeCredit = z.infer<typeof LargeCredit>;

/** `POST /api/admin/credit-balance` and `/deposit` above the limit, under 202; and the answer to a decision. */
export const LargeCreditAnswer = z.object({ credit: LargeCredit });

/** `GET /api/admin/credits`: oldest first among those that wait, else newest first. */
export const LargeCreditsQuery = z.object({
  status: z._default(
    z.enum(CreditStatus.options, { error: 'Status must be awaiting_approval, approved or refused' }),
    'awaiting_approval',
  ),
  limit: PageLimit,
  cursor: z.optional(z.uuid({ error: 'Invalid cursor' })),
});
export type LargeCreditsQuery = z.infer<typeof LargeCreditsQuery>;

/** `nextCursor` is null on the last page. */
export const LargeCredits = z.object({ credits: z.array(LargeCredit), nextCursor: z.nullable(Id) });
export type LargeCredits = z.infer<typeof LargeCredits>;
