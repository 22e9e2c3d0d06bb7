import type { ProposalsSchema } from '@vuka/access/proposals';
import type { Direction, TextCodes } from '@vuka/contracts/http/common';
import type { Tier } from '@vuka/contracts/http/tiers';
import type { TransferStatus } from '@vuka/contracts/http/transfers';
import type { Pricing } from '@vuka/contracts/internal/pricing';
import type { Currency, WalletCurrency } from '@vuka/money/corridors';
import type { FirstAnswersSchema } from '@vuka/service-kit/first-answers';
import type { OutboxSchema } from '@vuka/service-kit/outbox';
import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { PayoutState, Step, TransferFailure } from './states.ts';
import type { WithdrawalSchema } from './withdrawal-schema.ts';

interface TransactionsTable {
  id: string;
  /** The sender; for a deposit, the receiver. */
  user_id: string;
  recipient_user_id: string | null;
  recipient_name: string | null;
  recipient_phone: string | null;
  sender_phone: string | null;
  transaction_type: 'transfer' | 'deposit' | 'withdrawal' | 'exchange';
  client_transaction_id: string;
  /** SHA-256 over the business fields of the order. */
  request_hash: Buffer;
  direction: Direction | null;
  source_amount: bigint;
  source_currency: Currency;
  target_amount: bigint;
  target_currency: Currency;
  fee: bigint;
  /** What the source amount is worth at the buy rate, in minor units of the target currency. */
  mid_amount: bigint;
  exchange_rate: string | null;
  status: TransferStatus;
  step: Step;
  waiting_reason: string | null;
  error_code: string | null;
  error_message: string | null;
  /** The failure; null in rows of earlier releases. */
  failure: ColumnType<TransferFailure | null, string | null, string | null>;
  metadata: ColumnType<Record<string, unknown>, string, string>;
  /** Not final. A separate column, so that the index on open transfers is touched only once, at the end. */
  is_open: Generated<boolean>;
  version: Generated<number>;
  attempts: Generated<number>;
  next_action_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** When it resumed after waiting for a person. */
  resumed_at: Date | null;
}

interface TransactionLifecycleTable {
  id: Generated<bigint>;
  transaction_id: string;
  status: TransferStatus;
  /** In English, for people who read the table. */
  notes: string | null;
  /** The codes of `notes`; null in rows of earlier releases. */
  codes: ColumnType<TextCodes | null, string | undefined, never>;
  timestamp: Date;
}

interface MoneyTransfersTable {
  /** The provider's id for the payout. */
  id: string;
  user_id: string;
  transaction_id: string;
  provider: string;
  description: string;
  destination_account: string;
  transfer_reference: string | null;
  status: string;
  state: PayoutState;
  amount: bigint;
  currency: Currency;
  /** The exact body that was and will be sent. */
  request_body: string;
  /** Not failed: see `money_transfers_one_alive`. */
  is_alive: Generated<boolean>;
  /** The provider has said that it has the payout, in an answer or a report. */
  is_acknowledged: Generated<boolean>;
  submissions: Generated<number>;
  /**
   * `submissions` counts every request that may have been sent. False while the result of a first request, which is not
   * counted before it is sent, is unknown, and in rows of release 0.1.
   */
  is_counted: Generated<boolean>;
  submitted_at: Date | null;
  failure_code: string | null;
  metadata: Generated<Record<string, unknown>>;
  created_at: Date;
  updated_at: Date;
}

interface PaymentsTable {
  id: string;
  transaction_id: string;
  sender_id: string;
  recipient_id: string;
  description: string;
  status: string;
  reference: string;
  created_at: Date;
}

interface TransactionRetriesTable {
  id: string;
  transaction_id: string;
  retry_reason: string;
  retry_result: string | null;
  /** The codes of `retry_result`; null in rows of earlier releases. */
  codes: ColumnType<TextCodes | null, string | undefined, string>;
  is_successful: boolean | null;
  admin_id: string;
  created_at: Date;
  finished_at: Date | null;
}

interface QuotesTable {
  id: string;
  user_id: string;
  direction: Direction;
  source_amount: bigint;
  target_amount: bigint;
  mid_amount: bigint;
  fee: bigint;
  exchange_rate: string;
  expires_at: Date;
}

interface PayoutExceptionsTable {
  id: string;
  /** Null when the books do not know the payout. */
  transaction_id: string | null;
  /** The provider's id for the payout. */
  money_transfer_id: string;
  kind: string;
  details: ColumnType<Record<string, unknown>, string, string>;
  /** All that it has seen; empty if only release 0.1 wrote it. */
  evidence: Generated<string[]>;
  created_at: Date;
  /** When the provider last repeated it. */
  last_seen_at: Date;
  state: Generated<'open' | 'resolved'>;
  /** The name of the administrator who is responsible for it. */
  owner: string | null;
  /**
   * Null without an owner. A process of release 0.1 does not write it: it is null, or that of the owner before, if such a
   * process recorded the owner.
   */
  owner_id: string | null;
  note: string | null;
  resolved_at: Date | null;
  /** Found on a statement, not in a callback or an inquiry. */
  is_from_statement: Generated<boolean>;
}

interface WaitingStatementLinesTable {
  payout_id: string;
  amount_minor: bigint;
  currency: string;
  msisdn: string;
  recorded_at: Date;
  compared_at: Date | null;
}

interface ReconciliationsTable {
  id: string;
  /** `YYYY-MM-DD`, East Africa Time. */
  day: string;
  provider: string;
  state: 'running' | 'completed' | 'failed';
  started_at: Date;
  finished_at: Date | null;
  lines: number | null;
  matched: number | null;
  differences: number | null;
  /** Null in rows of earlier releases. */
  waiting: number | null;
  error: string | null;
  requested_by: string | null;
}

interface PricingCopyTable {
  id: Generated<number>;
  version: number;
  pricing: ColumnType<Pricing, string, string>;
  updated_at: Date;
}

interface LimitsTable {
  tier: Tier;
  currency: WalletCurrency;
  per_transaction: bigint;
  per_day: bigint;
  per_month: bigint;
  per_day_in: bigint;
  per_month_in: bigint;
  changed_by: string;
  changed_at: Date;
}

interface LimitUsageTable {
  user_id: string;
  currency: WalletCurrency;
  side: 'out' | 'in';
  /** `YYYY-MM-DD`, East Africa Time. */
  day: string;
  day_amount: bigint;
  /** The limit under which the latest order was counted. */
  day_allowed: bigint;
  /** The first day of the month. */
  month: string;
  month_amount: bigint;
  month_allowed: bigint;
}

interface FloatsTable {
  currency: WalletCurrency;
  booked: bigint;
  under_way: bigint;
  provider_balance: bigint;
  difference: bigint;
  differs_since: Date | null;
  compared_at: Date;
}

interface ClosedAccountsTable {
  user_id: string;
  stopped_at: Date;
  /** When a stop ends by itself; null once the account is closed. */
  resumes_at: Date | null;
  /** What the user had used of their limits, for when the account resumes. */
  usage: ColumnType<unknown, string | null, string | null>;
}

export interface Schema extends OutboxSchema, ProposalsSchema, FirstAnswersSchema, WithdrawalSchema {
  transactions: TransactionsTable;
  transaction_lifecycle: TransactionLifecycleTable;
  money_transfers: MoneyTransfersTable;
  payments: PaymentsTable;
  transaction_retries: TransactionRetriesTable;
  quotes: QuotesTable;
  payout_exceptions: PayoutExceptionsTable;
  reconciliations: ReconciliationsTable;
  waiting_statement_lines: WaitingStatementLinesTable;
  floats: FloatsTable;
  pricing_copy: PricingCopyTable;
  limits: LimitsTable;
  limit_usage: LimitUsageTable;
  closed_accounts: ClosedAccountsTable;
}

export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;
export type TransferRow = Selectable<TransactionsTable>;
export type PayoutRow = Selectable<MoneyTransfersTable>;
export type ReconciliationRow = Selectable<ReconciliationsTable>;
export type PayoutExceptionRow = Selectable<PayoutExceptionsTable>;
export type QuoteRow = Selectable<QuotesTable>;
