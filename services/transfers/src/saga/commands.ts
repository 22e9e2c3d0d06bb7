import { EXECUTE_TRANSFER, RETRY_TRANSFER } from '@vuka/contracts/messages/transfers';
import { COMMANDS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import type { OutboxMessage } from '@vuka/service-kit/outbox';

/**
 * A command that no worker has handled is sent once more after this time, which is longer than the broker's own
 * retries.
 */
export const COMMAND_LOST_AFTER_MS = 20 * 60_000;

/** Tells a worker to execute the transfer. `causationId` names the request or message that caused it. */
export function executeCommand(transferId: string, causationId: string, at: Date): OutboxMessage {
  return toCommand(EXECUTE_TRANSFER, { transferId }, { causationid: causationId, at });
}

/** Tells a worker to retry an open transfer. */
export function retryCommand(retry: { transferId: string; retryId: string }, at: Date): OutboxMessage {
  return toCommand(RETRY_TRANSFER, retry, { at });
}

function toCommand(
  type: string,
  data: { transferId: string },
  { at, ...links }: { at: Date; causationid?: string },
): OutboxMessage {
  const subject = data.transferId;
  const envelope = cloudEvent({ source: '/vuka/transfers', type, subject, correlationid: subject, ...links, data }, at);
  return { exchange: COMMANDS, envelope };
}
