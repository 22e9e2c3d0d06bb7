import * as z from 'zod/mini';
import { allowed, reason } from '../texts/reason.ts';
import {
  Id,
  Money,
  PageLimit,
  PinConfirmation,
  TextCodes,
  Timestamp,
  WalletCurrency,
  WholeAmountInput,
} from './common.ts';
import { FeeInput } from './decimal-input.ts';
import { LinkedAccountType } from './linked-accounts.ts';
import { ClientTransactionId, PaymentPin } from './orders.ts';

export const WithdrawalStatus = z.enum(['awaiting_approval', 'pending', 'payment_submitted', 'completed', 'failed']);
export type WithdrawalStatus = z.infer<typeof WithdrawalStatus>;

/**
 * `POST /api/withdrawals`. Whole amounts only: some networks have no smaller unit. `fee` is the fee that the person
 * was shown; if it is given and differs from the current fee, no money is taken and the answer is fee_changed.
 */
export const CreateWithdrawal = z.object({
  amount: WholeAmountInput,
  currency: WalletCurrency,
  linkedAccountId: z.uuid({ error: reason('account_not_chosen') }),
  fee: z.optional(FeeInput),
  pin: PaymentPin,
  clientTransactionId: ClientTransactionId,
});
export type CreateWithdrawal = z.infer<typeof CreateWithdrawal>;

/** `GET /api/withdrawals/price`: the current price of a withdrawal, and whether it needs approval. */
export const WithdrawalPriceQuery = z.object({
  amount: WholeAmountInput,
  linkedAccountId: z.uuid({ error: reason('account_not_chosen') }),
});
export const WithdrawalPrice = z.object({
  amount: Money,
  currency: WalletCurrency,
  fee: Money,
  total: Money,
  requiresApproval: z.boolean(),
});
export type WithdrawalPrice = z.infer<typeof WithdrawalPrice>;

export const WithdrawalsQuery = z.object({
  limit: PageLimit,
  cursor: z.optional(z.uuid({ error: reason('cursor_invalid') })),
});

/** A withdrawal; `id` is that of its transaction, which has the receipt and the timeline. */
export const Withdrawal = z.object({
  id: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  status: WithdrawalStatus,
  statusReason: z.nullable(z.string()),
  statusReasonCodes: z.optional(TextCodes),
  amount: Money,
  currency: WalletCurrency,
  fee: Money,
  accountType: LinkedAccountType,
  recipientAccount: z.string(),
  recipientName: z.string(),
  bankName: z.nullable(z.string()),
  requiresApproval: z.boolean(),
  providerReference: z.nullable(z.string()),
});
export type Withdrawal = z.infer<typeof Withdrawal>;

/** `GET /api/withdrawals`: the caller's own, newest first; `nextCursor` is null on the last page. */
export const Withdrawals = z.object({ withdrawals: z.array(Withdrawal), nextCursor: z.nullable(z.string()) });

export const CreatedWithdrawal = z.object({ withdrawal: Withdrawal });

/** `GET /api/admin/withdrawals`: open ones oldest first, otherwise newest first. */
export const AdminWithdrawalsQuery = z.extend(WithdrawalsQuery, {
  status: z.optional(
    z.enum(WithdrawalStatus.options, {
      error: reason('status_unknown', allowed(WithdrawalStatus.options)),
    }),
  ),
});

/** A withdrawal with the facts that an approver needs. */
export const AdminWithdrawal = z.extend(Withdrawal, {
  merchantName: z.string(),
  merchantId: z.nullable(z.string()),
  /** The merchant's account; null if the account is an administrator's. */
  merchantUserId: z._default(z.nullable(Id), null),
  branchCode: z.nullable(z.string()),
  swiftCode: z.nullable(z.string()),
  accountLinkedAt: Timestamp,
  /** How many times this account was paid before. */
  paidBefore: z.int(),
  /** The sum of the merchant's withdrawals in this currency in the day before this one, without failed ones. */
  askedInDay: Money,
  /** Whether it is approved and waits to be paid by hand. */
  isToBePaidByHand: z.boolean(),
  /**
   * Whether it may have been paid by hand already: by another administrator, or before the books were restored or moved to
   * another server. To pay or to refuse it then needs `comparedWithStatement`.
   */
  mayBePaid: z._default(z.boolean(), false),
  /**
   * Whether the caller need not wait to take it: false while another administrator has been paying it for so short a time that
   * the bank statement may not show the payment yet.
   */
  canBeTaken: z._default(z.boolean(), true),
  isOwn: z.boolean(),
  /** The administrator who is paying it by hand; null if nobody has taken it. */
  payingName: z._default(z.nullable(z.string()), null),
  payingSince: z._default(z.nullable(Timestamp), null),
  /** Whether the caller is the one who is paying it. */
  isPaidByCaller: z._default(z.boolean(), false),
  approvedBy: z.nullable(z.string()),
  approvedAt: z.nullable(Timestamp),
  closedBy: z.nullable(z.string()),
  closedAt: z.nullable(Timestamp),
});
export type AdminWithdrawal = z.infer<typeof AdminWithdrawal>;
export const AdminWithdrawals = z.object({ withdrawals: z.array(AdminWithdrawal), nextCursor: z.nullable(z.string()) });

/** An administrator's reason for a refusal. */
export const Refusal = z.object({
  reason: z
    .string({ error: reason('reason_missing') })
    .check(
      z.trim(),
      z.minLength(1, { error: reason('reason_missing'), abort: true }),
      z.minLength(3, { error: reason('reason_too_short', { min: 3 }) }),
      z.maxLength(200, { error: reason('reason_too_long', { max: 200 }) }),
    ),
});

/** The administrator has looked for the payment on the bank statement. Needed if `mayBePaid`. */
export const StatementComparison = z.object({ comparedWithStatement: z.optional(z.boolean()) });

/**
 * A claim to pay a withdrawal by hand. To take it over from another administrator, `payingSince` names the payer whom the
 * caller was shown: of two who take it at the same time, only one may pay.
 */
export const PayerClaim = z.extend(StatementComparison, { payingSince: z.nullish(z.string()) });

/** `POST /api/admin/withdrawals/{id}/take` */
export const TakeWithdrawal = z.nullish(PayerClaim);

/** An administrator's refusal of a withdrawal, which returns its money. */
export const WithdrawalRefusal = z.extend(Refusal, StatementComparison.shape);

/** `POST /api/admin/withdrawals/{id}/refuse`, and `/fail` for one that was approved and could not be paid by hand. */
export const RefuseWithdrawal = z.extend(WithdrawalRefusal, PinConfirmation.shape);

/** The reference under which the bank has paid. */
export const PaidByHand = z.object({
  reference: z
    .string({ error: reason('reference_missing') })
    .check(
      z.trim(),
      z.minLength(3, { error: reason('reference_too_short', { min: 3 }) }),
      z.maxLength(50, { error: reason('reference_too_long', { max: 50 }) }),
    ),
});

/** `POST /api/admin/withdrawals/{id}/complete`: it was paid by hand. */
export const CompleteWithdrawal = z.extend(PaidByHand, PinConfirmation.shape);
