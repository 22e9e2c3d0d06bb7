/** Where a scenario strikes, in the order in which they are shown. */
export const FAILURE_GROUPS = ['answers', 'refusals', 'course', 'callbacks', 'forgeries', 'inquiries'] as const;
type FailureGroup = (typeof FAILURE_GROUPS)[number];

/** Paid to the recipient exactly once; back with the sender; or reserved until a person decides. */
export const FAILURE_OUTCOMES = ['paid_once', 'returned', 'reserved'] as const;
export type FailureOutcome = (typeof FAILURE_OUTCOMES)[number];

/** One way to misbehave, in words. */
export interface FailureText {
  group: FailureGroup;
  name: string;
  /** What the mobile network does. */
  does: string;
  /** Where the money must be in the end. */
  outcome: FailureOutcome;
  /** How it must come there. */
  money: string;
}
