import type { OutboxTable } from '@vuka/service-kit/outbox';
import type { ColumnType, Generated, Kysely } from 'kysely';

/** Written once: no statement may change these columns. */
type Fixed<T> = ColumnType<T, T, never>;

interface AccountsTable {
  id: Generated<bigint>;
  code: Fixed<string>;
  user_id: Fixed<string | null>;
  currency: Fixed<string>;
  posted_minor: Generated<bigint>;
  held_minor: Generated<bigint>;
  seq: Generated<bigint>;
  version: Generated<bigint>;
  floor_minor: Fixed<bigint | null>;
  frozen_at: Date | null;
  opened_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface JournalsTable {
  id: Fixed<bigint>;
  key: Fixed<string>;
  request_hash: Fixed<string>;
  kind: Fixed<'hold' | 'capture' | 'release' | 'deposit' | 'adjustment'>;
  rejection: Fixed<string | null>;
  hold_id: Fixed<bigint | null>;
  transfer_id: Fixed<string>;
  created_at: Generated<Date>;
}

interface LedgerEntriesTable {
  account_id: Fixed<bigint>;
  account_seq: Fixed<bigint>;
  journal_id: Fixed<bigint>;
  currency: Fixed<string>;
  amount_minor: Fixed<bigint>;
  balance_after_minor: Fixed<bigint>;
}

interface HoldsTable {
  id: Fixed<bigint>;
  account_id: Fixed<bigint>;
  transfer_id: Fixed<string>;
  amount_minor: Fixed<bigint>;
  state: string;
  expires_at: Fixed<Date | null>;
  resolved_by: bigint | null;
}

/** The sums of 1,000 entries of an account. */
interface KeptSumsTable {
  account_id: Fixed<bigint>;
  block: Fixed<bigint>;
  money_in_minor: Fixed<bigint>;
  money_out_minor: Fixed<bigint>;
  fees_minor: Fixed<bigint>;
}

interface AuditStateTable {
  id: string;
  last_held_at: Date | null;
}

interface AuditProgressTable {
  only_row: boolean;
  checked_to: bigint;
  walked_to: bigint;
  walk_began_at: Date | null;
}

export interface WalletSchema {
  accounts: AccountsTable;
  journals: JournalsTable;
  ledger_entries: LedgerEntriesTable;
  holds: HoldsTable;
  kept_sums: KeptSumsTable;
  audit_progress: AuditProgressTable;
  audit_state: AuditStateTable;
  outbox: OutboxTable;
}

export type Db = Kysely<WalletSchema>;
