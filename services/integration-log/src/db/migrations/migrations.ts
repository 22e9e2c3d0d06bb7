import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import * as logs from './0001-logs.ts';

export const migrations = {
  '0001-logs': logs,
  '0002-outbox-packs': outboxPacksMigration,
  '0003-outbox-unsent': outboxUnsentMigration,
};
