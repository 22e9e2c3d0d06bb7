import * as z from 'zod/mini';
import { allowed, reason } from '../texts/reason.ts';
import { amountInput, Id, Money, Pin, Timestamp, WalletCurrency } from './common.ts';
import { ActionReason, DECISION, decisionsQuery } from './decisions.ts';

/**
 * The operator's accounts in the ledger. `payout-clearing` with its sign reversed is the float with the provider;
 * `funding` is the operator's money in the bank.
 */
export const OperatorAccount = z.enum(
  ['funding', 'payout-clearing', 'fx', 'fees', 'margin', 'provider-fees', 'losses'],
  { error: reason('account_unknown') },
);
export type OperatorAccount = z.infer<typeof OperatorAccount>;

/**
 * `float_top_up`: the operator sends money to the provider. `provider_fee`: the provider charges the float. `loss`: the
 * provider paid a payout that the books had returned to the sender, and does not give it back. `correction`: any two
 * accounts.
 */
export const AdjustmentKind = z.enum(['float_top_up', 'provider_fee', 'loss', 'correction'], {
  error: reason('adjustment_kind_unknown', allowed(['float_top_up', 'provider_fee', 'loss', 'correction'])),
});
export type AdjustmentKind = z.infer<typeof AdjustmentKind>;

/** The accounts of every kind but a correction: the money leaves the first for the second. */
export const ADJUSTED_ACCOUNTS: Record<
  Exclude<AdjustmentKind, 'correction'>,
  { from: OperatorAccount; to: OperatorAccount }
> = {
  float_top_up: { from: 'payout-clearing', to: 'funding' },
  provider_fee: { from: 'provider-fees', to: 'payout-clearing' },
  loss: { from: 'losses', to: 'payout-clearing' },
};

/** `POST /api/admin/adjustments`. A correction names its accounts; for the other kinds they follow from the kind. */
export const AdjustmentRequest = z
  .object({
    kind: AdjustmentKind,
    amount: amountInput(reason('amount_not_positive')),
    currency: WalletCurrency,
    reason: ActionReason,
    from: z.optional(OperatorAccount),
    to: z.optional(OperatorAccount),
    pin: Pin,
  })
  .check(
    z.refine(({ kind, from, to }) => kind !== 'correction' || (from !== undefined && to !== undefined), {
      error: reason('correction_without_accounts'),
      path: ['from'],
    }),
    z.refine(({ kind, from, to }) => kind !== 'correction' || from === undefined || from !== to, {
      error: reason('correction_of_one_account'),
      path: ['to'],
    }),
  );
export type AdjustmentRequest = z.infer<typeof AdjustmentRequest>;

export const AdjustmentStatus = z.enum(['awaiting_approval', 'approved', 'refused']);
export type AdjustmentStatus = z.infer<typeof AdjustmentStatus>;

/** An adjusting journal that one administrator requests and another decides on. */
export const Adjustment = z.object({
  id: Id,
  createdAt: Timestamp,
  status: AdjustmentStatus,
  kind: AdjustmentKind,
  amount: Money,
  currency: WalletCurrency,
  from: OperatorAccount,
  to: OperatorAccount,
  reason: z.string(),
  reference: z.string(),
  ...DECISION,
  /** The journal in the ledger; null if nothing was booked, or not yet. */
  journalId: z.nullable(z.string()),
  /** Whether the reader requested it: then another administrator has to decide. */
  isOwn: z.boolean(),
});
export type Adjustment = z.infer<typeof Adjustment>;

export const AdjustmentAnswer = z.object({ adjustment: Adjustment });

/** `GET /api/admin/adjustments`: open requests oldest first, otherwise newest first. */
export const AdjustmentsQuery = decisionsQuery(AdjustmentStatus.options);
export type AdjustmentsQuery = z.infer<typeof AdjustmentsQuery>;

/** `nextCursor` is null on the last page. */
export const Adjustments = z.object({ adjustments: z.array(Adjustment), nextCursor: z.nullable(Id) });
export type Adjustments = z.infer<typeof Adjustments>;
