import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import type { CreateWithdrawal } from '@vuka/contracts/http/withdrawals';
import { isUnanswered } from '#shared/submission-key.ts';

/** The kind of submission under which unanswered withdrawals are kept. */
export const WITHDRAWAL = 'withdrawal';

/** What makes a withdrawal the same as an earlier one, whatever its fee. */
export type WithdrawalOrder = Pick<CreateWithdrawal, 'amount' | 'currency' | 'linkedAccountId'>;

export function orderOf({ id, currency }: LinkedAccount, amount: string): WithdrawalOrder {
  return { amount, currency, linkedAccountId: id };
}

/** Whether this withdrawal was sent without an answer: it may have been accepted, and its money be reserved already. */
export function isUnansweredOrder(order: WithdrawalOrder): boolean {
  return isUnanswered(WITHDRAWAL, order);
}
