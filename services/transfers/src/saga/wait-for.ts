import type { Note } from '@vuka/contracts/texts/transfer-notes';
import type { TransferRow } from '#db/schema.ts';
import { type SagaDeps, type StepResult, stepTaken, take, transitionOf } from './step.ts';
import { backoffMs, NETWORK_SILENT } from './transfer.domain.ts';

/** Lists the transfer as stuck at once, and sets the time of the next attempt. */
export async function waitFor(
  deps: SagaDeps,
  transfer: TransferRow,
  { reason, delayMs }: { reason: Note; delayMs: number },
): Promise<StepResult> {
  const at = deps.now();
  const event = { type: 'waiting_too_long' as const, reason };
  const schedule = { attempts: transfer.attempts + 1, nextActionAt: new Date(at.getTime() + delayMs) };
  return stepTaken(await take(deps, transitionOf(transfer, event, at, schedule)), true);
}

/**
 * The next step needs the provider, which did not answer. The transfer is no part of our own backlog then, and is swept
 * with the payouts, at their pace: after a promotion many may wait for the grace time.
 */
export function waitForProvider(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  return waitFor(deps, transfer, { reason: NETWORK_SILENT, delayMs: backoffMs(transfer.attempts, deps.payoutCheckMs) });
}
