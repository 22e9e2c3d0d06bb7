import { EVENTS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import type { Transaction } from '#db/schema.ts';

/** Publishes an event about a user, if the transaction commits. */
export function announce<Data extends { userId: string }>(trx: Transaction, type: string, data: Data): Promise<void> {
  const envelope = cloudEvent({ source: '/vuka/identity', type, subject: data.userId, data });
  return appendToOutbox(trx, [{ exchange: EVENTS, envelope }]);
}
