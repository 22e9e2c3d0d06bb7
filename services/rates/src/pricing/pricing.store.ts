import type { Pricing } from '@vuka/contracts/internal/pricing';
import { RATES_UPDATED } from '@vuka/contracts/messages/rates';
import { EVENTS } from '@vuka/contracts/topology';
import { inverseSellRate, sellRate } from '@vuka/money';
import { RATED } from '@vuka/money/directions';
import { AppError } from '@vuka/service-kit/app-error';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import { trimDecimal } from './decimal.ts';
import { listFeeBands } from './fee-band.store.ts';
import type { EnteredRate } from './large-change.domain.ts';
import type { RateChange } from './rate-days.domain.ts';

/** The rate is stored for one corridor; the way back is derived from it. */
export const RATE_PAIR = { source_currency: RATED.source, target_currency: RATED.target };

/** The current prices. Throws rate_unavailable while no rate has been set. */
export async function getPricing(db: Db): Promise<Pricing> {
  const pricing = await findPricing(db);
  if (!pricing) throw new AppError('rate_unavailable');
  return pricing;
}

async function findPricing(db: Db): Promise<Pricing | undefined> {
  const current = await db
    .selectFrom('rate_history')
    .innerJoin('pricing_version', (join) => join.onTrue())
    .select(['pricing_version.version', 'rate', 'markup', 'updated_at'])
    .where('source_currency', '=', RATE_PAIR.source_currency)
    .where('target_currency', '=', RATE_PAIR.target_currency)
    .orderBy('rate_history.version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!current) return undefined;
  const buyRate = trimDecimal(current.rate);
  const markup = trimDecimal(current.markup);
  return {
    version: Number(current.version),
    buyRate,
    markup,
    kesToTzs: sellRate(buyRate, markup),
    tzsToKes: inverseSellRate(buyRate, markup),
    updatedAt: current.updated_at.toISOString(),
    fees: await listFeeBands(db),
  };
}

/**
 * Changes prices one change at a time, so that versions and events have one order, and publishes them. Before the first
 * rate there are no prices to publish; the first rate publishes the fees too.
 */
export function changePricing<Result>(
  db: Db,
  change: (trx: Transaction) => Promise<Result>,
): Promise<{ result: Result; pricing: Pricing | undefined }> {
  return underPricingLock(db, async (trx) => {
    const result = await change(trx);
    return { result, pricing: await publishPricing(trx) };
  });
}

/** Runs a transaction that excludes any other change of prices. */
export function underPricingLock<Result>(db: Db, run: (trx: Transaction) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('rates'))`.execute(trx);
    return run(trx);
  });
}

/** Increments the version and publishes the current prices; undefined while no rate has been set. */
export async function publishPricing(trx: Transaction): Promise<Pricing | undefined> {
  await trx
    .updateTable('pricing_version')
    .set((row) => ({ version: row('version', '+', 1n) }))
    .execute();
  const pricing = await findPricing(trx);
  if (!pricing) return undefined;
  const event = cloudEvent({
    source: '/vuka/rates',
    type: RATES_UPDATED,
    subject: `${RATE_PAIR.source_currency}/${RATE_PAIR.target_currency}`,
    sequence: pricing.version,
    data: pricing,
  });
  await appendToOutbox(trx, [{ exchange: EVENTS, envelope: event }]);
  return pricing;
}

/** The rate in force, as entered; undefined while none has been set. */
export async function findRate(db: Db): Promise<EnteredRate | undefined> {
  const current = await db
    .selectFrom('exchange_rates')
    .select(['rate', 'markup'])
    .where('source_currency', '=', RATE_PAIR.source_currency)
    .where('target_currency', '=', RATE_PAIR.target_currency)
    .executeTakeFirst();
  return current && toEntered(current);
}

/** The id in the history of the rate in force; undefined while none has been set. */
export async function findRateId(db: Db): Promise<string | undefined> {
  const current = await db
    .selectFrom('rate_history')
    .select('id')
    .where('source_currency', '=', RATE_PAIR.source_currency)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return current?.id;
}

/** The rate in force at a moment, or the first rate ever if there was none yet. */
export async function findRateAt(db: Db, at: Date): Promise<EnteredRate | undefined> {
  const history = db
    .selectFrom('rate_history')
    .select(['rate', 'markup'])
    .where('source_currency', '=', RATE_PAIR.source_currency)
    .where('target_currency', '=', RATE_PAIR.target_currency)
    .limit(1);
  const then = await history.where('created_at', '<=', at).orderBy('version', 'desc').executeTakeFirst();
  const found = then ?? (await history.orderBy('version').executeTakeFirst());
  return found && toEntered(found);
}

/** Every change of the rate since a moment, and the last one before it; oldest first. */
export async function listRateChanges(db: Db, sinceMs: number): Promise<RateChange[]> {
  const history = db
    .selectFrom('rate_history')
    .select(['rate', 'markup', 'created_at'])
    .where('source_currency', '=', RATE_PAIR.source_currency)
    .where('target_currency', '=', RATE_PAIR.target_currency)
    .orderBy('version', 'desc');
  const since = new Date(sinceMs);
  const [later, before] = [history.where('created_at', '>=', since), history.where('created_at', '<', since).limit(1)];
  const rows = [...(await later.execute()), ...(await before.execute())];
  return rows.reverse().map((row) => ({ ...toEntered(row), atMs: row.created_at.getTime() }));
}

function toEntered({ rate, markup }: { rate: string; markup: string }): EnteredRate {
  return { buyRate: trimDecimal(rate), markup: trimDecimal(markup) };
}
