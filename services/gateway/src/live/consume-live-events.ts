import type { CloudEvent } from '@vuka/contracts/cloud-event';
import { SESSIONS_ENDED, SessionsEnded } from '@vuka/contracts/messages/identity';
import { TransferChanged } from '@vuka/contracts/messages/transfers';
import { BALANCES_CHANGED, BalancesChanged } from '@vuka/contracts/messages/wallet';
import { type Batcher, createBatcher } from '@vuka/service-kit/batcher';
import type { Disposition, MessageHandler } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';
import { type NewLiveEvent, notifyUsers, storeLiveEvents } from './live-event.store.ts';

/** A page updated this much later still appears to update at once. */
const PACE_MS = 40;

/** Turns messages of the services into live events for the users concerned. */
export function createLiveConsumer(db: Db): MessageHandler {
  const kept: Batcher<NewLiveEvent[], undefined> = createBatcher({
    paceMs: PACE_MS,
    async run(batches) {
      await storeLiveEvents(db, batches.flat());
      return batches.map(() => undefined);
    },
  });
  const notices: Batcher<{ name: string; userIds: string[] }, undefined> = createBatcher({
    paceMs: PACE_MS,
    async run(batch) {
      for (const name of new Set(batch.map((notice) => notice.name))) {
        const userIds = batch.filter((notice) => notice.name === name).flatMap((notice) => notice.userIds);
        await notifyUsers(db, name, [...new Set(userIds)]);
      }
      return batch.map(() => undefined);
    },
  });

  return async ({ envelope }): Promise<Disposition> => {
    if (envelope.type === BALANCES_CHANGED) {
      const changed = BalancesChanged.safeParse(envelope.data);
      if (!changed.success) return { kind: 'dead', reason: 'not a balances event' };
      await notices.submit({ name: 'balances', userIds: changed.data.changes.map((change) => change.userId) });
      return { kind: 'ack' };
    }
    if (envelope.type === SESSIONS_ENDED) {
      const ended = SessionsEnded.safeParse(envelope.data);
      if (!ended.success) return { kind: 'dead', reason: 'not a sessions event' };
      await notices.submit({ name: 'session', userIds: [ended.data.userId] });
      return { kind: 'ack' };
    }
    const events = transactionEvents(envelope);
    if (!events) return { kind: 'dead', reason: 'not a transfer event' };
    await kept.submit(events);
    return { kind: 'ack' };
  };
}

/** The sender sees every status; the recipient is informed once the money has arrived. */
function transactionEvents(envelope: CloudEvent): NewLiveEvent[] | undefined {
  const changed = TransferChanged.safeParse(envelope.data);
  if (!changed.success) return undefined;
  const { transferId, status, at, userId, recipientUserId } = changed.data;
  const recipients = recipientUserId && status === 'SETTLED' ? [recipientUserId] : [];
  return [userId, ...recipients].map((seenBy) => ({
    messageId: envelope.id,
    userId: seenBy,
    name: 'transaction',
    data: { transactionId: transferId, status, at },
  }));
}
