import type { AdminAction } from '@vuka/access/audit-trail';
import type { ProposalsSchema } from '@vuka/access/proposals';
import type { AdjustmentKind, AdjustmentStatus, OperatorAccount } from '@vuka/contracts/http/adjustments';
import type { CreditStatus } from '@vuka/contracts/http/credits';
import type { ActionRecorded } from '@vuka/contracts/messages/audit';
import type { Currency, WalletCurrency } from '@vuka/money/corridors';
import type { InboxSchema } from '@vuka/service-kit/inbox';
import type { OutboxSchema } from '@vuka/service-kit/outbox';
import type { ColumnType, Generated, Kysely, Transaction as KyselyTransaction, Selectable } from 'kysely';

interface AdminDepositsTable {
  id: string;
  /** The administrator: `ADM...`, and their user id. */
  admin_id: string;
  admin_user_id: string;
  /** The client's idempotency key; a repeated key of the same administrator is the same deposit. */
  idempotency_key: string;
  kind: 'deposit' | 'credit';
  beneficiary_user_id: string;
  beneficiary_id: string;
  /** A decimal string with two places. */
  amount: string;
  currency: Currency;
  reason: string;
  reference: string;
  /** The movement; null until the ledger has answered. */
  transaction_id: string | null;
  /** Whether another administrator has to approve before money moves, and whether they did. */
  approval: Generated<'not_needed' | CreditStatus>;
  /** The names of the administrator and the beneficiary at that time; null in old rows. */
  admin_name: string | null;
  beneficiary_name: string | null;
  /** Who decided; never the requester or the beneficiary. */
  checker_user_id: string | null;
  checker_id: string | null;
  checker_name: string | null;
  decided_at: Date | null;
  refusal_reason: string | null;
  /** When it ended without a movement, because the account was closed first. */
  ended_at: Date | null;
  created_at: Date;
}

/** Whole units, as decimal strings. Each currency has a column. */
type WithdrawalLimitColumn = `withdrawal_approval_limit_${Lowercase<WalletCurrency>}`;
type CreditLimitColumn = `credit_approval_limit_${Lowercase<Currency>}`;
type LimitColumn = WithdrawalLimitColumn | CreditLimitColumn;

type SettingsTable = Record<LimitColumn, Generated<string>> & {
  id: Generated<number>;
  system_name: Generated<string>;
  support_email: Generated<string>;
  max_pin_attempts: Generated<number>;
  auto_logout_minutes: Generated<number>;
  email_notifications: Generated<boolean>;
  sms_notifications: Generated<boolean>;
  login_alerts: Generated<boolean>;
  transaction_alerts: Generated<boolean>;
  updated_by: string | null;
  updated_at: Date | null;
};

interface NotificationsTable {
  id: string;
  event_id: string;
  user_id: string;
  channel: 'email' | 'sms';
  /** Empty in sealed rows, as `subject`, `body` and `last_error`. */
  recipient: string;
  subject: string | null;
  body: string;
  /** It contains a one-time code, which is removed when the message was sent. */
  has_code: Generated<boolean>;
  status: Generated<'pending' | 'sent' | 'failed' | 'kept'>;
  attempts: Generated<number>;
  /** When a message in clear text is due; null in sealed rows. */
  next_attempt_at: Date | null;
  /** When a sealed message is due. */
  due_at: Date | null;
  sent_at: Date | null;
  last_error: string | null;
  created_at: Date;
  /** See notifications/sealed-notifications.ts; null in rows of earlier releases. */
  sealed: Buffer | null;
}

type Facts = ColumnType<Record<string, unknown> | null, string | null, never>;

/** Append-only: the database refuses updates and deletes. */
interface AuditTrailTable {
  /** The id of the event that reported the action; ids sort by time. */
  id: string;
  at: Date;
  actor_user_id: string;
  actor_id: string | null;
  actor_name: string;
  address: string | null;
  action: string;
  subject_kind: ActionRecorded['subject']['kind'];
  subject_id: string;
  subject_label: string | null;
  reason: string | null;
  before: Facts;
  after: Facts;
  request_id: string;
  /** The place in the chain, and the hashes of the entry before and of this one. Set by the database. */
  position: Generated<bigint>;
  previous_hash: Generated<Buffer>;
  hash: Generated<Buffer>;
}

/** The last entry of the trail on each day, signed. Append-only. */
interface AuditHeadsTable {
  /** `YYYY-MM-DD`, East Africa Time. */
  day: string;
  position: bigint;
  hash: Buffer;
  /** Names the key that signed. */
  key_id: string;
  signature: Buffer;
  signed_at: Date;
}

interface AdjustmentsTable {
  id: string;
  created_at: Date;
  requester_user_id: string;
  requester_id: string;
  requester_name: string;
  /** The client's; a repeated key of the same administrator is the same adjustment. */
  idempotency_key: string;
  kind: AdjustmentKind;
  currency: WalletCurrency;
  /** A decimal string with two places. */
  amount: string;
  from_account: OperatorAccount;
  to_account: OperatorAccount;
  reason: string;
  reference: string;
  status: AdjustmentStatus;
  /** Decided by the only administrator. */
  is_alone: boolean;
  decider_user_id: string | null;
  decider_id: string | null;
  decider_name: string | null;
  decided_at: Date | null;
  refusal_reason: string | null;
  /** The journal in the ledger; null until it has answered. */
  journal_id: string | null;
}

interface ClosedAccountsTable {
  user_id: string;
  closed_at: Date;
}

/** See queues/redrive.ts. */
interface RedrivesTable {
  id: string;
  queue: string;
  /** Empty for any, as `died_of`. */
  type: string;
  died_of: string;
  died_before: Date | null;
  per_second: number;
  matching: number;
  moved: Generated<number>;
  caller: ColumnType<AdminAction['caller'], string, never>;
  reason: string;
  started_at: Date;
  /** When its next part is moved; a process that moves one postpones it for as long as that may take. */
  due_at: Generated<Date>;
  /** How often in a row nothing was found to move. */
  empty_rounds: Generated<number>;
  ended_at: Date | null;
}

export interface Schema extends OutboxSchema, InboxSchema, ProposalsSchema {
  audit_trail: AuditTrailTable;
  audit_heads: AuditHeadsTable;
  admin_deposits: AdminDepositsTable;
  adjustments: AdjustmentsTable;
  closed_accounts: ClosedAccountsTable;
  notifications: NotificationsTable;
  redrives: RedrivesTable;
  settings: SettingsTable;
}

export type Db = Kysely<Schema>;
export type NotificationRow = Selectable<NotificationsTable>;
export type Transaction = KyselyTransaction<Schema>;
export type AuditRow = Selectable<AuditTrailTable>;
export type AuditHeadRow = Selectable<AuditHeadsTable>;
export type AdjustmentRow = Selectable<AdjustmentsTable>;
export type RedriveRow = Selectable<RedrivesTable>;
export type DepositRow = Selectable<AdminDepositsTable>;
