import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import { ledgerMigration } from './0001-ledger.ts';
import * as adjustments from './0004-adjustments.ts';
import * as auditProgress from './0005-audit-progress.ts';
import * as keptSums from './0006-kept-sums.ts';

export const migrations = {
  '0001-ledger': ledgerMigration,
  '0002-outbox-packs': outboxPacksMigration,
  '0003-outbox-unsent': outboxUnsentMigration,
  '0004-adjustments': adjustments,
  '0005-audit-progress': auditProgress,
  '0006-kept-sums': keptSums,
};
