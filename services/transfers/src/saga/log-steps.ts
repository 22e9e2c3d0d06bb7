import type { Logger } from '@vuka/service-kit/logger';
import { traceOf } from '@vuka/service-kit/trace';
import { statusOf, waitingReasonOf } from './transfer.domain.ts';
import type { Transition } from './transition.store.ts';

/** Logs one line for each step, and none for a change that is not a step. The transitions must be committed. */
export function logSteps(logger: Logger, taken: Transition[]): void {
  for (const { from, to, payout } of taken) {
    const waitsFor = waitingReasonOf(to);
    if (to.step === from.step && waitsFor === from.waiting_reason) continue;
    logger.info(
      {
        transferId: from.id,
        traceId: traceOf(from.id)?.traceId,
        from: from.step,
        step: to.step,
        status: statusOf(to),
        ...(payout ? { payoutId: payout.id } : {}),
        ...(waitsFor === null ? {} : { waitsFor }),
      },
      'a transfer took a step',
    );
  }
}
