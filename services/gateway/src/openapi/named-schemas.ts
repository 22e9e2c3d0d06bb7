import * as about from '@vuka/contracts/http/about';
import * as accountClosing from '@vuka/contracts/http/account-closing';
import * as accountExport from '@vuka/contracts/http/account-export';
import * as adjustments from '@vuka/contracts/http/adjustments';
import * as adminRole from '@vuka/contracts/http/admin-role';
import * as administrators from '@vuka/contracts/http/administrators';
import * as apiKeys from '@vuka/contracts/http/api-keys';
import * as auditTrail from '@vuka/contracts/http/audit-trail';
import * as balances from '@vuka/contracts/http/balances';
import * as common from '@vuka/contracts/http/common';
import * as contactVerification from '@vuka/contracts/http/contact-verification';
import * as credits from '@vuka/contracts/http/credits';
import * as days from '@vuka/contracts/http/days';
import * as decimalInput from '@vuka/contracts/http/decimal-input';
import * as decisions from '@vuka/contracts/http/decisions';
import * as deposits from '@vuka/contracts/http/deposits';
import * as directionAmounts from '@vuka/contracts/http/direction-amounts';
import * as events from '@vuka/contracts/http/events';
import * as failureLab from '@vuka/contracts/http/failure-lab';
import * as failureScenarios from '@vuka/contracts/http/failure-lab-scenarios';
import * as feed from '@vuka/contracts/http/feed';
import * as fees from '@vuka/contracts/http/fees';
import * as integrationLogs from '@vuka/contracts/http/integration-logs';
import * as ledgerAudit from '@vuka/contracts/http/ledger-audit';
import * as limits from '@vuka/contracts/http/limits';
import * as linkedAccounts from '@vuka/contracts/http/linked-accounts';
import * as merchants from '@vuka/contracts/http/merchants';
import * as notifications from '@vuka/contracts/http/notifications';
import * as orders from '@vuka/contracts/http/orders';
import * as overview from '@vuka/contracts/http/overview';
import * as proposals from '@vuka/contracts/http/proposals';
import * as queues from '@vuka/contracts/http/queues';
import * as quotes from '@vuka/contracts/http/quotes';
import * as rates from '@vuka/contracts/http/rates';
import * as recipients from '@vuka/contracts/http/recipients';
import * as reconciliation from '@vuka/contracts/http/reconciliation';
import * as recovery from '@vuka/contracts/http/recovery';
import * as secondFactors from '@vuka/contracts/http/second-factors';
import * as sessions from '@vuka/contracts/http/sessions';
import * as settings from '@vuka/contracts/http/settings';
import * as signedInUser from '@vuka/contracts/http/signed-in-user';
import * as statements from '@vuka/contracts/http/statements';
import * as tierLimits from '@vuka/contracts/http/tier-limits';
import * as tiers from '@vuka/contracts/http/tiers';
import * as transfers from '@vuka/contracts/http/transfers';
import * as users from '@vuka/contracts/http/users';
import * as verification from '@vuka/contracts/http/verification';
import * as withdrawals from '@vuka/contracts/http/withdrawals';
import { WithdrawalDecided } from '@vuka/contracts/internal/withdrawals';
import * as z from 'zod/mini';

/** Every module whose schemas have names in the description of the API. */
const MODULES: readonly Record<string, unknown>[] = [
  about,
  accountClosing,
  accountExport,
  adjustments,
  adminRole,
  administrators,
  apiKeys,
  auditTrail,
  balances,
  common,
  contactVerification,
  credits,
  days,
  decimalInput,
  decisions,
  deposits,
  directionAmounts,
  events,
  failureLab,
  failureScenarios,
  feed,
  fees,
  integrationLogs,
  ledgerAudit,
  limits,
  linkedAccounts,
  merchants,
  notifications,
  orders,
  overview,
  proposals,
  queues,
  quotes,
  rates,
  recipients,
  reconciliation,
  recovery,
  secondFactors,
  sessions,
  settings,
  signedInUser,
  statements,
  tierLimits,
  tiers,
  transfers,
  users,
  verification,
  withdrawals,
  { WithdrawalDecided },
];

/** The generator adds this suffix to the names of request schemas; our own schemas with this suffix stay unnamed. */
const SUFFIX = 'Input';

/**
 * The schemas of the public contract under the names that they are exported by, so that generated clients have the
 * same names. The registry is the gateway's own: the web app would pay for names in the contract.
 */
export function nameSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const named = z.registry<{ id: string }>();
  const names = new Map<string, unknown>();
  for (const [name, schema] of MODULES.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.core.$ZodType) || named.has(schema) || name.endsWith(SUFFIX)) continue;
    if (names.has(name)) throw new Error(`two schemas of the public contract are named ${name}`);
    names.set(name, schema);
    named.add(schema, { id: name });
  }
  return named;
}
