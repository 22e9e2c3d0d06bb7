import { ExecuteTransfer, RETRY_TRANSFER, RetryTransfer } from '@vuka/contracts/messages/transfers';
import { isDatabaseUnavailable } from '@vuka/service-kit/database';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import { advanceTransfer } from './advance-transfer.ts';
import { carryOutRetry } from './carry-out-retry.ts';
import type { SagaDeps } from './step.ts';

export const EXECUTION_QUEUE = 'transfers.execution';

/**
 * Executes a command about a transfer. The transfer's version and keys make it safe to run twice, so no inbox is
 * needed. An unavailable service postpones the transfer. Throws when the database is unavailable.
 */
export async function handleCommand(deps: SagaDeps, delivery: Delivery): Promise<Disposition> {
  try {
    return await carryOut(deps, delivery);
  } catch (error) {
    // The consumer holds the message until the database is available.
    if (isDatabaseUnavailable(error)) throw error;
    deps.logger.error({ err: error, message: delivery.envelope.id }, 'a command failed');
    return { kind: 'retry', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function carryOut(deps: SagaDeps, { envelope }: Delivery): Promise<Disposition> {
  if (envelope.type === RETRY_TRANSFER) {
    const retry = RetryTransfer.safeParse(envelope.data);
    if (!retry.success) return { kind: 'dead', reason: 'not a retry command' };
    await carryOutRetry(deps, retry.data);
    return { kind: 'ack' };
  }
  const command = ExecuteTransfer.safeParse(envelope.data);
  if (!command.success) return { kind: 'dead', reason: 'not an execute command' };
  const result = await advanceTransfer(deps, command.data.transferId);
  return result ? { kind: 'ack' } : { kind: 'dead', reason: 'there is no such transfer' };
}
