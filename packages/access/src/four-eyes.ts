import type { Decision } from '@vuka/contracts/internal/decisions';

/** The status of a request without a decision. */
export const AWAITING_APPROVAL = 'awaiting_approval';

/** The facts that a decision depends on. Ids are user ids. */
export interface Reviewed {
  requesterId: string;
  /** Who benefits, if it is one person. */
  beneficiaryId?: string;
  deciderId: string | null;
  status: string;
}

/** Why a user cannot decide; `decided_so` is a repeat of the user's own decision. */
export type Obstacle = 'is_requester' | 'is_beneficiary' | 'closed' | 'decided_so';

export const statusAfter = (decision: Decision) => (decision.kind === 'approve' ? 'approved' : 'refused');

/** Why this user cannot take this decision; undefined if they can. */
export function obstacleTo(reviewed: Reviewed, decision: Decision, userId: string): Obstacle | undefined {
  if (reviewed.requesterId === userId) return 'is_requester';
  if (reviewed.beneficiaryId === userId) return 'is_beneficiary';
  if (reviewed.status === AWAITING_APPROVAL) return undefined;
  const isSame = reviewed.deciderId === userId && reviewed.status === statusAfter(decision);
  return isSame ? 'decided_so' : 'closed';
}
