import type { Logger } from '@vuka/service-kit/logger';
import { traceOf } from '@vuka/service-kit/trace';
import { statusOf, waitingReasonOf } from './transfer.domain.ts';
import type { Transition } from './transition.store.ts';

/** One line for each step that transfers took, and none for changes that are no step. Takes committed ones only. */
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
