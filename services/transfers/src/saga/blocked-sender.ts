import type { TransferRow } from '#db/schema.ts';
import { findLostPayout } from './lost-payout.ts';
import { type SagaDeps, type StepExtras, type StepResult, stepTaken, take, transitionOf } from './step.ts';
import type { TransferEvent } from './transfer.domain.ts';
import { waitForProvider } from './wait-for.ts';

/** The session was checked when the order was accepted, so a younger transfer costs no call. */
const CHECKED_WITHIN_MS = 10_000;

export const SENDER_BLOCKED = {
  type: 'sender_blocked',
  code: 'sender_blocked',
  reason: [{ code: 'sender_blocked' }],
} as const satisfies TransferEvent;

/**
 * Whether the sender was blocked since the order. A withdrawal is asked about at any age. The age is a distance, so that a
 * process whose clock is behind asks too. Throws unavailable.
 */
export async function isSenderBlocked(
  { identity, now }: Pick<SagaDeps, 'identity' | 'now'>,
  transfer: TransferRow,
): Promise<boolean> {
  const ageMs = Math.abs(now().getTime() - transfer.created_at.getTime());
  if (ageMs <= CHECKED_WITHIN_MS && transfer.transaction_type !== 'withdrawal') return false;
  return identity.isBlocked(transfer.user_id);
}

/**
 * Returns the money of a blocked sender's transfer, for which these books have sent nothing, or waits while the provider
 * does not say whether lost books have. Returns undefined if they have: such a payout is followed to its end.
 */
export async function stopForBlock(
  deps: SagaDeps,
  transfer: TransferRow,
  extras: Pick<StepExtras, 'payout'> = {},
): Promise<{ step: StepResult } | undefined> {
  const epoch = await deps.books.epoch();
  const lost = await findLostPayout(deps, transfer, epoch);
  if (lost.kind === 'found') return undefined;
  if (lost.kind === 'unclear') return { step: await waitForProvider(deps, transfer) };
  const transition = transitionOf(transfer, SENDER_BLOCKED, deps.now(), { ...extras, place: epoch.place });
  return { step: stepTaken(await take(deps, transition)) };
}
