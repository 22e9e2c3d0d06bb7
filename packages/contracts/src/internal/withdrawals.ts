import * as z from 'zod/mini';
import { Id } from '../http/common.ts';
import { LinkedAccountChange, NewBankAccount, NewMobileMoneyAccount } from '../http/linked-accounts.ts';
import {
  AdminWithdrawal,
  CreateWithdrawal,
  PaidByHand,
  PayerClaim,
  Withdrawal,
  WithdrawalRefusal,
} from '../http/withdrawals.ts';

/** `POST /internal/linked-accounts`, without the PIN, which was checked before. */
export const AccountToLink = z.discriminatedUnion('accountType', [
  z.omit(NewMobileMoneyAccount, { pin: true }),
  z.omit(NewBankAccount, { pin: true }),
]);
export type AccountToLink = z.infer<typeof AccountToLink>;

export const AccountAddress = z.object({ id: Id });

/** `POST /internal/linked-accounts/change` */
export const AccountChange = z.object({ id: Id, change: LinkedAccountChange });

/** `POST /internal/withdrawals` */
export const WithdrawalOrder = z.omit(CreateWithdrawal, { pin: true });
export type WithdrawalOrder = z.infer<typeof WithdrawalOrder>;
export const WithdrawalOrdered = z.object({ created: z.boolean(), withdrawal: Withdrawal });

/** `POST /internal/withdrawals/decide`, by an administrator whose PIN was checked. */
export const WithdrawalDecision = z.object({
  id: Id,
  decision: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve') }),
    z.extend(WithdrawalRefusal, { kind: z.literal('refuse') }),
    z.extend(WithdrawalRefusal, { kind: z.literal('fail') }),
    z.extend(PaidByHand, { kind: z.literal('complete') }),
  ]),
});
export const WithdrawalDecided = z.object({ withdrawal: AdminWithdrawal });

/** `POST /internal/withdrawals/take`, by the administrator who is going to pay it by hand. */
export const WithdrawalTaken = z.extend(PayerClaim, { id: Id });
export type WithdrawalTaken = z.infer<typeof WithdrawalTaken>;
