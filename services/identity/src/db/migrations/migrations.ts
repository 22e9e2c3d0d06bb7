import { firstAnswersMigration } from '@vuka/service-kit/first-answers';
import { outboxPacksMigration, outboxUnsentMigration } from '@vuka/service-kit/outbox';
import * as users from './0001-users.ts';
import * as savedRecipients from './0002-saved-recipients.ts';
import * as merchantList from './0003-merchant-list.ts';
import * as apiKeys from './0005-api-keys.ts';
import * as settingsInOrder from './0008-settings-in-order.ts';
import * as stepUp from './0009-step-up.ts';
import * as unlockRequests from './0010-unlock-requests.ts';
import * as noPhone from './0011-no-phone.ts';
import * as devices from './0012-devices.ts';
import * as oneTimeCodes from './0013-one-time-codes.ts';
import * as secondFactors from './0014-second-factors.ts';
import * as adminRoles from './0015-admin-roles.ts';
import * as businessAccounts from './0016-business-accounts.ts';
import * as sealedColumns from './0017-sealed-columns.ts';
import * as closedAccounts from './0018-closed-accounts.ts';
import * as numbersOfAnyCountry from './0019-numbers-of-any-country.ts';
import * as resetShares from './0020-reset-shares.ts';
import * as sessionDevices from './0022-session-devices.ts';

export const migrations = {
  '0001-users': users,
  '0002-saved-recipients': savedRecipients,
  '0003-merchant-list': merchantList,
  '0004-outbox-packs': outboxPacksMigration,
  '0005-api-keys': apiKeys,
  '0006-outbox-unsent': outboxUnsentMigration,
  '0008-settings-in-order': settingsInOrder,
  '0009-step-up': stepUp,
  '0010-unlock-requests': unlockRequests,
  '0011-no-phone': noPhone,
  '0012-devices': devices,
  '0013-one-time-codes': oneTimeCodes,
  '0014-second-factors': secondFactors,
  '0015-admin-roles': adminRoles,
  '0016-business-accounts': businessAccounts,
  '0017-sealed-columns': sealedColumns,
  '0018-closed-accounts': closedAccounts,
  '0019-numbers-of-any-country': numbersOfAnyCountry,
  '0020-reset-shares': resetShares,
  '0021-first-answers': firstAnswersMigration,
  '0022-session-devices': sessionDevices,
};
