import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import * as logs from './0001-logs.ts';
import * as sealedBodies from './0004-sealed-bodies.ts';

export const migrations = {
  '0001-logs': logs,
  '0002-outbox-packs': outboxPacksMigration,
  '0003-outbox-unsent': outboxUnsentMigration,
  '0004-sealed-bodies': sealedBodies,
};
