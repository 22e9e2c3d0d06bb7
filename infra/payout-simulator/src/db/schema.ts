import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import type { Effect } from '#effects/effect.domain.ts';
import type { Step } from '#effects/plan.domain.ts';

type Json<Value> = ColumnType<Value, string, string>;

interface PayoutsTable {
  id: string;
  kind: 'payout' | 'remittance';
  status: string;
  /** The text of the request. */
  amount: string;
  currency: string;
  country: string;
  msisdn: string;
  network: string;
  request: Json<Record<string, unknown>>;
  provider_reference: string | null;
  failure_code: string | null;
  created_at: Date;
  /** The remaining steps, and when the next one is due. */
  steps: Json<Step[]>;
  step_at: Date | null;
  effects: Json<Effect[]>;
  callback_due_at: Date | null;
  callback_since: Date | null;
  callback_attempts: Generated<number>;
}

interface LedgerTable {
  seq: Generated<bigint>;
  id: string;
  msisdn: string;
  amount: string;
  currency: string;
  paid_at: Date;
}

/** Payments that are not yet reported. A payout that is paid twice has two rows. */
interface PaymentReportsTable {
  reference: Generated<string>;
  id: string;
  msisdn: string;
  amount: string;
  currency: string;
  paid_at: Date;
}

interface WalletsTable {
  currency: string;
  country: string;
  balance: string;
  reserved: string;
}

interface NetworksTable {
  network: string;
  status: string;
  min_amount: string;
  max_amount: string;
}

interface ScenariosTable {
  id: string;
  definition: Json<unknown>;
  created_at: Date;
}

interface SigningKeysTable {
  id: string;
  private_key: string;
  created_at: Generated<Date>;
}

export interface Schema {
  payouts: PayoutsTable;
  ledger: LedgerTable;
  payment_reports: PaymentReportsTable;
  wallets: WalletsTable;
  networks: NetworksTable;
  scenarios: ScenariosTable;
  signing_keys: SigningKeysTable;
}

export type Db = Kysely<Schema>;
export type PayoutRow = Selectable<PayoutsTable>;
