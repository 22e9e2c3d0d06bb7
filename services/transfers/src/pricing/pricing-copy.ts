import { type FeeBand, FeesInForce, Pricing } from '@vuka/contracts/internal/pricing';
import { RatesUpdated } from '@vuka/contracts/messages/rates';
import { AppError } from '@vuka/service-kit/app-error';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

export const PRICING_QUEUE = 'transfers.pricing';

/** A price older than this is refreshed before use. */
const FRESH_FOR_MS = 1_500;
/**
 * While the rates service is unavailable, the last known price is used for this long: a change would have arrived as an
 * event.
 */
const SERVES_FOR_MS = 10 * 60_000;

export interface PricingCopy {
  /**
   * The prices in force. Throws rate_unavailable, or unavailable when none are known and the rates service is
   * unavailable.
   */
  current(): Promise<Pricing>;
  /** The fees in force, which exist before any rate does. Throws unavailable like `current`. */
  fees(): Promise<FeeBand[]>;
  /** Like `current`, but fetched after this call rather than taken from an earlier confirmation. */
  latest(): Promise<Pricing>;
  /** Stores prices that arrived as an event. */
  apply(delivery: Delivery): Promise<Disposition>;
}

/** Our copy of the prices: updated by events in the database, refreshed from the rates service when stale. */
export function createPricingCopy(deps: {
  db: Db;
  rates: ServiceClient;
  now: () => Date;
  nowMs: () => number;
}): PricingCopy {
  let known: { pricing: Pricing; confirmedAtMs: number } | undefined;
  let refreshing: Promise<Pricing> | undefined;

  /**
   * Keeps the newer of two prices. `isAnswer`: this price was requested after the known one was learned, and replaces
   * it.
   */
  function remember(pricing: Pricing, isAnswer = false): Pricing {
    // The known one may be of a change that a failover of the rates service has lost.
    const newest = known && !isAnswer && known.pricing.version > pricing.version ? known.pricing : pricing;
    known = { pricing: newest, confirmedAtMs: deps.nowMs() };
    return newest;
  }

  async function askRates(): Promise<Pricing> {
    const before = known?.pricing;
    const isAnswer = () => known?.pricing === before;
    try {
      const pricing = await deps.rates.get('/internal/pricing', Pricing);
      if (before && before.version > pricing.version && isAnswer()) {
        await replaceLost(deps.db, { lost: before, pricing, now: deps.now() });
      }
      return remember(pricing, isAnswer());
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      await readKept();
      if (!known || deps.nowMs() - known.confirmedAtMs > SERVES_FOR_MS) throw error;
      return known.pricing;
    }
  }

  /**
   * Reads prices stored by an earlier run, or by the replica that received the event of a change. They count as
   * confirmed when they are first read.
   */
  async function readKept(): Promise<void> {
    const kept = await findCopy(deps.db);
    if (kept && (!known || kept.version > known.pricing.version)) remember(kept);
  }

  async function latest(): Promise<Pricing> {
    // A refresh in progress may have been answered before the change that the caller asks about.
    await refreshing?.catch(() => undefined);
    return refresh();
  }

  function refresh(): Promise<Pricing> {
    refreshing ??= askRates().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function current(): Promise<Pricing> {
    const isFresh = known && deps.nowMs() - known.confirmedAtMs < FRESH_FOR_MS;
    return known && isFresh ? known.pricing : refresh();
  }

  return {
    current,
    latest,
    async fees() {
      try {
        return (await current()).fees;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'rate_unavailable') throw error;
        return (await deps.rates.get('/internal/fees-in-force', FeesInForce)).fees;
      }
    },
    async apply(delivery) {
      const update = RatesUpdated.safeParse(delivery.envelope.data);
      if (!update.success) return { kind: 'dead', reason: 'not a rates event' };
      await saveCopy(deps.db, update.data, deps.now());
      remember(update.data);
      return { kind: 'ack' };
    },
  };
}

async function findCopy(db: Db): Promise<Pricing | undefined> {
  const copy = await db.selectFrom('pricing_copy').select('pricing').executeTakeFirst();
  return copy?.pricing;
}

/** Replaces the stored prices of a change that a failover has lost; otherwise `readKept` would return them again. */
async function replaceLost(
  db: Db,
  { lost, pricing, now }: { lost: Pricing; pricing: Pricing; now: Date },
): Promise<void> {
  await db
    .updateTable('pricing_copy')
    .set(toRow(pricing, now))
    // Compares the whole prices: another process may have stored a newer change under the same version meanwhile.
    .where('pricing', '=', sql<never>`${JSON.stringify(lost)}::jsonb`)
    .execute();
}

/**
 * The version makes this safe to repeat and to apply out of order. After a failover, the rates service may assign a
 * version a second time.
 */
async function saveCopy(db: Db, pricing: Pricing, now: Date): Promise<void> {
  const row = toRow(pricing, now);
  await db
    .insertInto('pricing_copy')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(row).where(sql`pricing_copy.version`, '<=', pricing.version),
    )
    .execute();
}

const toRow = (pricing: Pricing, now: Date) => ({
  version: pricing.version,
  pricing: JSON.stringify(pricing),
  updated_at: now,
});
