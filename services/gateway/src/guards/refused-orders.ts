import { Overloaded } from '@vuka/service-kit/app-error';
import type { Logger } from '@vuka/service-kit/logger';
import type { OrderGate } from './order-gate.ts';

/** After this long without a refusal, an overload is over. */
const QUIET_MS = 5_000;

/**
 * Notes in the log when the gate begins to refuse orders for overload, and when it has ended, with their number: a line
 * for each would cost more than the refusal.
 */
export function noteRefusals(gate: OrderGate, logger: Logger, quietMs = QUIET_MS): OrderGate {
  let refused = 0;
  let quiet: NodeJS.Timeout | undefined;

  function end(): void {
    logger.warn({ refused }, 'orders are no longer refused');
    refused = 0;
    quiet = undefined;
  }

  function note({ cause }: Overloaded): void {
    refused += 1;
    if (quiet) {
      quiet.refresh();
      return;
    }
    logger.warn({ cause }, 'orders are refused: overload');
    quiet = setTimeout(end, quietMs).unref();
  }

  return {
    async letThrough(id, check, send) {
      try {
        return await gate.letThrough(id, check, send);
      } catch (error) {
        if (error instanceof Overloaded) note(error);
        throw error;
      }
    },
    get limit() {
      return gate.limit;
    },
  };
}
