/** The stage that a scenario affects, in display order. */
export const FAILURE_GROUPS = ['answers', 'refusals', 'course', 'callbacks', 'forgeries', 'inquiries'] as const;
type FailureGroup = (typeof FAILURE_GROUPS)[number];

/** Paid to the recipient exactly once; returned to the sender; or reserved until a person decides. */
export const FAILURE_OUTCOMES = ['paid_once', 'returned', 'reserved'] as const;
export type FailureOutcome = (typeof FAILURE_OUTCOMES)[number];

/** The description of one failure. */
export interface FailureText {
  group: FailureGroup;
  name: string;
  /** What the mobile network does. */
  does: string;
  /** Where the money must end up. */
  outcome: FailureOutcome;
  /** How it must get there. */
  money: string;
}
