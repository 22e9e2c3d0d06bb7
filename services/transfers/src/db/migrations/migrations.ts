import { firstAnswersMigration } from '@vuka/service-kit/first-answers';
import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import * as transfers from './0001-transfers.ts';
import * as history from './0002-history.ts';
import * as withdrawals from './0003-withdrawals.ts';
import * as openRetries from './0004-open-retries.ts';
import * as reconciliation from './0005-reconciliation.ts';
import * as payoutsOfTransfer from './0006-payouts-of-transfer.ts';
import * as eventLog from './0009-event-log.ts';
import * as oneExceptionAKind from './0010-one-exception-a-kind.ts';
import * as noInbox from './0011-no-inbox.ts';
import * as failures from './0012-failures.ts';
import * as textCodes from './0013-text-codes.ts';
import * as limits from './0014-limits.ts';
import * as closedAccounts from './0015-closed-accounts.ts';
import * as booksEpoch from './0016-books-epoch.ts';
import * as waitingLines from './0017-waiting-lines.ts';
import * as payers from './0018-payers.ts';
import * as floats from './0019-floats.ts';
import * as phonesOfAnyCountry from './0020-phones-of-any-country.ts';
import * as transfersToPhone from './0021-transfers-to-phone.ts';
import * as payoutsUpdated from './0023-payouts-updated.ts';
import * as acknowledgedPayouts from './0024-acknowledged-payouts.ts';
import * as bankReferences from './0025-bank-references.ts';
import * as takenOver from './0026-taken-over.ts';
import * as exceptionOwners from './0027-exception-owners.ts';
import * as countedRequests from './0028-counted-requests.ts';
import * as exceptionEvidence from './0029-exception-evidence.ts';

export const migrations = {
  '0001-transfers': transfers,
  '0002-history': history,
  '0003-withdrawals': withdrawals,
  '0004-open-retries': openRetries,
  '0005-reconciliation': reconciliation,
  '0006-payouts-of-transfer': payoutsOfTransfer,
  '0007-outbox-packs': outboxPacksMigration,
  '0008-outbox-unsent': outboxUnsentMigration,
  '0009-event-log': eventLog,
  '0010-one-exception-a-kind': oneExceptionAKind,
  '0011-no-inbox': noInbox,
  '0012-failures': failures,
  '0013-text-codes': textCodes,
  '0014-limits': limits,
  '0015-closed-accounts': closedAccounts,
  '0016-books-epoch': booksEpoch,
  '0017-waiting-lines': waitingLines,
  '0018-payers': payers,
  '0019-floats': floats,
  '0020-phones-of-any-country': phonesOfAnyCountry,
  '0021-transfers-to-phone': transfersToPhone,
  '0022-first-answers': firstAnswersMigration,
  '0023-payouts-updated': payoutsUpdated,
  '0024-acknowledged-payouts': acknowledgedPayouts,
  '0025-bank-references': bankReferences,
  '0026-taken-over': takenOver,
  '0027-exception-owners': exceptionOwners,
  '0028-counted-requests': countedRequests,
  '0029-exception-evidence': exceptionEvidence,
};
