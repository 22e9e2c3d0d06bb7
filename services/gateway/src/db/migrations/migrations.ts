import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import * as liveEvents from './0001-live-events.ts';
import * as liveEventOnce from './0004-live-event-once.ts';

export const migrations = {
  '0001-live-events': liveEvents,
  '0002-outbox-packs': outboxPacksMigration,
  '0003-outbox-unsent': outboxUnsentMigration,
  '0004-live-event-once': liveEventOnce,
};
