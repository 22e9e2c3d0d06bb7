import type { ProposalsSchema } from '@vuka/access/proposals';
import type { FeeType } from '@vuka/contracts/http/fees';
import type { WalletCurrency } from '@vuka/money/corridors';
import type { FirstAnswersSchema } from '@vuka/service-kit/first-answers';
import type { OutboxSchema } from '@vuka/service-kit/outbox';
import type { Generated, Kysely, Transaction as KyselyTransaction } from 'kysely';

interface ExchangeRatesTable {
  source_currency: WalletCurrency;
  target_currency: WalletCurrency;
  /** Decimal strings: numeric is never parsed as a number. */
  rate: string;
  markup: string;
  effective_rate: string;
  updated_by: string;
  updated_at: Date;
}

interface RateHistoryTable extends ExchangeRatesTable {
  id: string;
  version: Generated<bigint>;
  updated_by_name: string;
  created_at: Date;
}

interface FeeConfigTable {
  id: Generated<bigint>;
  transaction_type: FeeType;
  currency: WalletCurrency;
  /** Decimal strings in units of the currency. */
  min_amount: string;
  max_amount: string | null;
  fixed_fee: Generated<string>;
  percentage_fee: Generated<string>;
  updated_by: string | null;
  updated_by_name: string | null;
}

interface PricingVersionTable {
  id: Generated<number>;
  version: bigint;
}

export interface Schema extends OutboxSchema, ProposalsSchema, FirstAnswersSchema {
  exchange_rates: ExchangeRatesTable;
  rate_history: RateHistoryTable;
  fee_config: FeeConfigTable;
  pricing_version: PricingVersionTable;
}

export type Db = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;
