import { CALLS_RECORDED, CallsRecorded } from '@vuka/contracts/messages/integration-log';
import { AppError } from '@vuka/service-kit/app-error';
import { type Batcher, bisecting, createBatcher } from '@vuka/service-kit/batcher';
import { isDatabaseUnavailable, isRefusedForItsValues } from '@vuka/service-kit/database';
import type { Logger } from '@vuka/service-kit/logger';
import type { Delivery, Disposition, MessageHandler } from '@vuka/service-kit/messaging/message-bus';
import type { LogWriter, RecordedCalls } from './log.store.ts';

export const CALLS_QUEUE = 'integration-log.calls';

/** A delay that readers of the logs do not notice. */
const PACE_MS = 250;

/**
 * Writes consumed messages, many per commit. A message with values that cannot be written is dead-lettered at once,
 * without the others; any other failure is retried. Throws when the database is unavailable.
 */
export function createCallRecorder(writer: Pick<LogWriter, 'record'>, logger: Logger): MessageHandler {
  const writes = createBatcher<RecordedCalls, undefined>({
    run: bisecting((messages) => writer.record(messages)),
    maxBatch: 200,
    paceMs: PACE_MS,
  });
  return (delivery) => record(writes, logger, delivery);
}

async function record(
  writes: Batcher<RecordedCalls, undefined>,
  logger: Logger,
  { envelope }: Delivery,
): Promise<Disposition> {
  const message = CallsRecorded.safeParse(envelope.data);
  if (envelope.type !== CALLS_RECORDED || !message.success) return { kind: 'dead', reason: 'not recorded calls' };
  try {
    await writes.submit({ messageId: envelope.id, calls: message.data.calls });
    return { kind: 'ack' };
  } catch (error) {
    // The consumer holds the message until the database is available.
    if (isDatabaseUnavailable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof AppError) return { kind: 'retry', reason };
    logger.error({ err: error, messageId: envelope.id }, 'could not record provider calls');
    // A deadlock, a timeout or a missing right can pass; bad values stay bad.
    return { kind: isRefusedForItsValues(error) ? 'dead' : 'retry', reason };
  }
}
