import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { TransferRow } from '#db/schema.ts';
import type { PayoutOfTransfer } from '#payouts/payout.store.ts';
import { changeCurrent } from './apply-report.ts';
import { isToBeSent } from './payout-decision.domain.ts';
import { noteOf, type SagaDeps, take } from './step.ts';

/** Anyone can send hints, and each inquiry is a call to the provider with our token. */
const HINT_EVERY_MS = 5_000;

/**
 * Makes an open payout due for an inquiry after a callback that proves nothing: at once, or five
 * seconds after the last change of its transfer. Nothing else changes, and nothing is recorded if it is due by then
 * anyway. A payout that is still to be sent does not change. Returns the transfer if the
 * provider is to be asked now.
 */
export async function followHint(
  deps: SagaDeps,
  payoutId: string,
  callsOf: (found: PayoutOfTransfer) => IntegrationLog[],
): Promise<TransferRow | undefined> {
  const followed = await changeCurrent(deps, payoutId, async (found) => {
    const { transfer, payout } = found;
    if (transfer.step !== 'paying_out' || isToBeSent(payout)) return {};
    const at = deps.now();
    const nextActionAt = new Date(Math.max(at.getTime(), transfer.updated_at.getTime() + HINT_EVERY_MS));
    if (transfer.next_action_at !== null && transfer.next_action_at <= nextActionAt) return {};
    const noted = await take(deps, noteOf(transfer, at, { nextActionAt }));
    // Not with the note: the calls of a note that is not taken are recorded too, and there may be many at once.
    if (noted) await deps.lateCalls.submit(callsOf(found));
    return noted && (nextActionAt <= at ? { due: noted } : {});
  });
  return followed?.due;
}
