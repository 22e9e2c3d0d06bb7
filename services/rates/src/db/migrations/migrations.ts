import { proposalsMigration } from '@vuka/access/proposals';
import { firstAnswersMigration } from '@vuka/service-kit/first-answers';
import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import * as rates from './0001-rates.ts';
import * as fees from './0002-fees.ts';

export const migrations = {
  '0001-rates': rates,
  '0002-fees': fees,
  '0003-outbox-packs': outboxPacksMigration,
  '0004-outbox-unsent': outboxUnsentMigration,
  '0005-proposals': proposalsMigration,
  '0006-first-answers': firstAnswersMigration,
};
