import type { Adjustment } from '@vuka/contracts/http/adjustments';
import type { Administrator } from '@vuka/contracts/http/administrators';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import type { AuditEntry } from '@vuka/contracts/http/audit-trail';
import type { Balances } from '@vuka/contracts/http/balances';
import type { LargeCredit, RecentCredits } from '@vuka/contracts/http/credits';
import type { AdminDeposits } from '@vuka/contracts/http/deposits';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { Merchant } from '@vuka/contracts/http/merchants';
import type { Notification } from '@vuka/contracts/http/notifications';
import type { CreateTransfer } from '@vuka/contracts/http/orders';
import type { AdminOverview } from '@vuka/contracts/http/overview';
import type { DeadMessage, QueueFigures, Redrive } from '@vuka/contracts/http/queues';
import type { RateDays, RateHistoryItem, Rates } from '@vuka/contracts/http/rates';
import type { SavedRecipient } from '@vuka/contracts/http/recipients';
import type { StuckTransactions } from '@vuka/contracts/http/recovery';
import type { NotificationSettings, SystemSettings } from '@vuka/contracts/http/settings';
import type { User } from '@vuka/contracts/http/signed-in-user';
import type { TransactionListItem } from '@vuka/contracts/http/transfers';
import type * as z from 'zod/mini';
import { adjustments } from './adjustment-fixtures.ts';
import {
  deposits,
  logs,
  merchants,
  notificationSettings,
  notifications,
  overview,
  rateHistory,
  systemSettings,
} from './admin-fixtures.ts';
import { administrators } from './administrator-fixtures.ts';
import { apiKeys } from './api-key-fixtures.ts';
import { largeCredits, recentCredits } from './credit-fixtures.ts';
import { type FailureLabWorld, failureLabWorld } from './failure-lab-fixtures.ts';
import { amina, audit, balances, NO_ANSWER, rateDays, rates, transactions } from './fixtures.ts';
import { type LimitWorld, ownLimits, tierLimits } from './limit-handlers.ts';
import { auditEntries, deadMessages, queues } from './operations-fixtures.ts';
import type { ProposalWorld } from './proposal-fixtures.ts';
import { type ReconciliationWorld, reconciliationWorld } from './reconciliation-fixtures.ts';
import { type WithdrawalWorld, withdrawalWorld } from './withdrawal-fixtures.ts';

export type Stuck = z.infer<typeof StuckTransactions>;

/** The state of the mock server. Tests change it and check what it received. */
export interface World extends WithdrawalWorld, ReconciliationWorld, FailureLabWorld, LimitWorld, ProposalWorld {
  user: User | null;
  /** When the session ends without use; a request caused by the user extends it. */
  sessionEndsAtMs: number;
  balances: Balances;
  rates: Rates;
  rateDays: RateDays;
  transactions: TransactionListItem[];
  stuck: Stuck['stuckTransactions'];
  audit: LedgerAudit;
  overview: AdminOverview;
  deposits: z.infer<typeof AdminDeposits>['deposits'];
  largeCredits: LargeCredit[];
  recentCredits: RecentCredits['credits'];
  adjustments: Adjustment[];
  apiKeys: ApiKey[];
  administrators: Administrator[];
  /** Whether the administrator has to enter the PIN again, and the PINs that were entered. */
  isPinStale: boolean;
  pinsGiven: string[];
  rateHistory: RateHistoryItem[];
  merchants: z.infer<typeof Merchant>[];
  notificationSettings: z.infer<typeof NotificationSettings>;
  systemSettings: SystemSettings;
  logs: IntegrationLog[];
  notifications: Notification[];
  auditEntries: AuditEntry[];
  busConnected: boolean;
  queues: QueueFigures[];
  deadMessages: DeadMessage[];
  redrives: Redrive[];
  /** Dead messages that were sent again or dropped, with the reason. */
  settled: { id: string; to: string; reason: string }[];
  /** The logs that the button for test logs generates. */
  testLogs: IntegrationLog[];
  /** Every deposit and credit that the server received, with its idempotency key. */
  submitted: { what: 'deposit' | 'credit'; key: string | null; body: unknown }[];
  quoteHoldMs: number;
  /** The fee on top of a transfer, in whole units and in percent of the amount. */
  transferFee: { fixed: number; percent: number };
  /** Paths that answer 503, and paths that never answer. */
  unavailable: string[];
  silent: string[];
  /** Every body received by `POST /api/transactions/create`. */
  received: CreateTransfer[];
  quotesMade: number;
  recipients: SavedRecipient[];
  /** The masked names of merchants here, by phone. */
  holders: Record<string, string>;
}

export const IDLE_LIMIT_MS = 1_800_000;

export function createWorld(overrides: Partial<World> = {}): World {
  const stuck = transactions
    .filter((item) => item.status === 'PENDING')
    .map((item) => ({ transaction: { ...item, ...NO_ANSWER } }));
  return structuredClone({
    user: amina,
    sessionEndsAtMs: Date.now() + IDLE_LIMIT_MS,
    balances,
    rates,
    rateDays,
    transactions,
    stuck,
    audit,
    overview,
    deposits,
    largeCredits,
    recentCredits,
    adjustments,
    rateProposals: [],
    limitProposals: [],
    tierLimitProposals: [],
    ownLimits,
    tierLimits,
    apiKeys,
    administrators,
    isPinStale: false,
    pinsGiven: [],
    ...reconciliationWorld(),
    ...failureLabWorld(),
    rateHistory,
    merchants,
    notificationSettings,
    systemSettings,
    logs,
    notifications,
    auditEntries,
    busConnected: true,
    queues,
    deadMessages,
    redrives: [],
    settled: [],
    testLogs: logs.slice(0, 2).map((log) => ({ ...log, transactionId: 'TEST-1', provider: 'test' })),
    submitted: [],
    quoteHoldMs: 60_000,
    transferFee: { fixed: 0, percent: 0 },
    unavailable: [],
    silent: [],
    received: [],
    quotesMade: 0,
    recipients: [{ phone: '+255754111222', label: 'Baraka Mushi' }],
    holders: {},
    ...withdrawalWorld,
    ...overrides,
  });
}
