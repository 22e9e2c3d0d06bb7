import { proposalsMigration } from '@vuka/access/proposals';
import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import * as admin from './0001-admin.ts';
import * as withdrawalLimits from './0002-withdrawal-limits.ts';
import * as notifications from './0003-notifications.ts';
import * as auditTrail from './0004-audit-trail.ts';
import * as largeCredits from './0005-large-credits.ts';
import * as creditSums from './0008-credit-sums.ts';
import * as codeMessages from './0010-code-messages.ts';
import * as chainedTrail from './0012-chained-trail.ts';
import * as sealedNotifications from './0013-sealed-notifications.ts';
import * as closedAccounts from './0014-closed-accounts.ts';
import * as adjustments from './0015-adjustments.ts';
import * as redrives from './0016-redrives.ts';
import * as endedCredits from './0017-ended-credits.ts';
import * as deliveryLanes from './0018-delivery-lanes.ts';
import * as listIndexes from './0019-list-indexes.ts';
import * as emptyRounds from './0020-empty-rounds.ts';

export const migrations = {
  '0001-admin': admin,
  '0002-withdrawal-limits': withdrawalLimits,
  '0003-notifications': notifications,
  '0004-audit-trail': auditTrail,
  '0005-large-credits': largeCredits,
  '0006-outbox-packs': outboxPacksMigration,
  '0007-outbox-unsent': outboxUnsentMigration,
  '0008-credit-sums': creditSums,
  '0009-proposals': proposalsMigration,
  '0010-code-messages': codeMessages,
  '0012-chained-trail': chainedTrail,
  '0013-sealed-notifications': sealedNotifications,
  '0014-closed-accounts': closedAccounts,
  '0015-adjustments': adjustments,
  '0016-redrives': redrives,
  '0017-ended-credits': endedCredits,
  '0018-delivery-lanes': deliveryLanes,
  '0019-list-indexes': listIndexes,
  '0020-empty-rounds': emptyRounds,
};
