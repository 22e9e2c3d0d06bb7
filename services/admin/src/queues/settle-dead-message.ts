import { setTimeout as delay } from 'node:timers/promises';
import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import type { DeadMessage, MessageBus } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';

export interface DeadMessageDeps {
  db: Db;
  bus: MessageBus;
  now: () => Date;
  kickRelay: () => void;
}

export interface DeadMessageOrder {
  caller: Caller;
  queue: string;
  messageId: string;
  to: 'requeue' | 'drop';
  reason: string;
}

/** For this long a message that is not found is looked for again: another process may be listing it. */
const PATIENCE_MS = 1_500;
const LOOK_AGAIN_MS = 250;

/** Longer bodies are not copied into the audit trail, in characters of JSON. */
const LONGEST_RECORDED_BODY = 16_000;

/**
 * Requeues a dead message, or drops it. Recorded on the audit trail before the message moves, so that none moves
 * without a trace; a failed move is recorded as well. Throws not_found, and unavailable while the bus is unavailable.
 */
export async function settleDeadMessage(deps: DeadMessageDeps, order: DeadMessageOrder): Promise<void> {
  const { bus } = deps;
  const { queue, messageId, to } = order;
  const find = async () => (await bus.listDead(queue, 1, ({ id }) => id === messageId)).at(0);
  const message = await patiently(find).catch(asUnavailable);
  if (!message) throw notFound();
  await record(deps, order, to === 'requeue' ? 'dead-message.requeued' : 'dead-message.dropped', message);
  try {
    if (!(await patiently(() => bus.settleDead(queue, messageId, to)))) throw notFound();
  } catch (error) {
    await record(deps, order, 'dead-message.not-moved', message);
    throw error instanceof AppError ? error : unavailable(error);
  }
}

/** Repeats a look until it finds something, for a while. */
async function patiently<Found>(look: () => Promise<Found>): Promise<Found> {
  const lastMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found || performance.now() >= lastMs) return found;
    await delay(LOOK_AGAIN_MS);
  }
}

async function record(deps: DeadMessageDeps, order: DeadMessageOrder, action: AuditAction, message: DeadMessage) {
  const { caller, queue, messageId, reason } = order;
  const { type, reason: diedOf, attempts, body } = message;
  const isShort = (JSON.stringify(body) ?? '').length <= LONGEST_RECORDED_BODY;
  await deps.db.transaction().execute((trx) =>
    recordAction(
      trx,
      {
        source: '/vuka/admin',
        caller,
        action,
        subject: { kind: 'queue', id: messageId, label: queue },
        reason,
        before: { queue, type, diedOf, attempts, ...(isShort ? { body } : {}) },
      },
      deps.now(),
    ),
  );
  deps.kickRelay();
}

/** For a bus that cannot be reached. */
export function asUnavailable(error: unknown): never {
  throw unavailable(error);
}

function notFound(): AppError {
  return new AppError('dead_message_not_found');
}
