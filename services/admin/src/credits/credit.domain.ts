import type { CreditStatus } from '@vuka/contracts/http/credits';
import { parseMoney } from '@vuka/money';

export type Decision = { kind: 'approve' } | { kind: 'refuse'; reason: string };

/** What a decision depends on: who asked, for whom, and whether and by whom it has been decided. */
interface CreditFacts {
  admin_user_id: string;
  beneficiary_user_id: string;
  checker_user_id: string | null;
  approval: CreditStatus | 'not_needed';
}

/** Whether a credit is so large that another administrator has to agree. Decimal strings of whole units. */
export function needsApproval(amount: string, limit: string): boolean {
  return parseMoney(amount) > parseMoney(limit);
}

export const statusAfter = (decision: Decision) => (decision.kind === 'approve' ? 'approved' : 'refused');

/** Why somebody cannot decide on a credit; `decided_so` is a repeat of their own decision. */
export type Obstacle = 'asked_for_it' | 'is_for_them' | 'decided' | 'decided_so';

/** Why this user cannot take this decision; undefined where they can. */
export function obstacleTo(credit: CreditFacts, decision: Decision, userId: string): Obstacle | undefined {
  if (credit.admin_user_id === userId) return 'asked_for_it';
  if (credit.beneficiary_user_id === userId) return 'is_for_them';
  if (credit.approval === 'awaiting_approval') return undefined;
  const isSame = credit.checker_user_id === userId && credit.approval === statusAfter(decision);
  return isSame ? 'decided_so' : 'decided';
}
