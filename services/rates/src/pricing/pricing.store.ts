import type { Pricing } from '@vuka/contracts/internal/pricing';
import { formatMoney, inverseSellRate, parseMoney, sellRate } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';

export const RATE_PAIR = { source_currency: 'KES', target_currency: 'TZS' } as const;

/** The prices as they are now. Throws rate_unavailable while no rate has been set. */
export async function getPricing(db: Db): Promise<Pricing> {
  const current = await db
    .selectFrom('rate_history')
    .select(['version', 'rate', 'markup', 'updated_at'])
    .where('source_currency', '=', RATE_PAIR.source_currency)
    .where('target_currency', '=', RATE_PAIR.target_currency)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!current) throw new AppError('rate_unavailable', 'No exchange rate has been set yet.');
  const buyRate = trim(current.rate);
  const markup = trim(current.markup);
  return {
    version: Number(current.version),
    buyRate,
    markup,
    kesToTzs: sellRate(buyRate, markup),
    tzsToKes: inverseSellRate(buyRate, markup),
    updatedAt: current.updated_at.toISOString(),
    fees: await listFees(db),
  };
}

/** The rate in force, as it was entered, or undefined while none has been set. */
export async function findRate(db: Db): Promise<{ buyRate: string; markup: string } | undefined> {
  const current = await db
    .selectFrom('exchange_rates')
    .select(['rate', 'markup'])
    .where('source_currency', '=', RATE_PAIR.source_currency)
    .where('target_currency', '=', RATE_PAIR.target_currency)
    .executeTakeFirst();
  return current && { buyRate: trim(current.rate), markup: trim(current.markup) };
}

async function listFees(db: Db): Promise<Pricing['fees']> {
  const rows = await db.selectFrom('fee_config').selectAll().orderBy('min_amount').execute();
  const money = (amount: string) => formatMoney(parseMoney(amount));
  return rows.map((row) => ({
    transactionType: row.transaction_type,
    currency: row.currency,
    minAmount: money(row.min_amount),
    maxAmount: row.max_amount === null ? null : money(row.max_amount),
    fixedFee: money(row.fixed_fee),
    percentageFee: row.percentage_fee,
  }));
}

/** Lets one change of rates happen at a time, so that versions and events are in one order. */
export async function lockRates(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('rates'))`.execute(trx);
}

function trim(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
