import { type FeeBand, FeesInForce, Pricing } from '@vuka/contracts/internal/pricing';
import { RatesUpdated } from '@vuka/contracts/messages/rates';
import { AppError } from '@vuka/service-kit/app-error';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

export const PRICING_QUEUE = 'transfers.pricing';

/** A price that was not confirmed for this long is asked for again before it is used. */
const FRESH_FOR_MS = 1_500;
/** With the rates service away, the last known price serves this long: a change of rates would have been an event. */
const SERVES_FOR_MS = 10 * 60_000;

export interface PricingCopy {
  /** The price in force. Throws rate_unavailable, or unavailable when none is known and the rates service is away. */
  current(): Promise<Pricing>;
  /** The fees in force, which are there before any rate is. Throws unavailable as `current` does. */
  fees(): Promise<FeeBand[]>;
  /** As `current`, as it is at the moment of asking or later, and not as it was confirmed before. */
  latest(): Promise<Pricing>;
  /** Takes over a price that arrived as an event. */
  apply(delivery: Delivery): Promise<Disposition>;
}

/** Our own copy of the prices: kept by events in the database, refreshed from the rates service when stale. */
export function createPricingCopy(deps: { db: Db; rates: ServiceClient; now: () => Date }): PricingCopy {
  let known: { pricing: Pricing; confirmedAtMs: number } | undefined;
  let refreshing: Promise<Pricing> | undefined;

  function remember(pricing: Pricing): Pricing {
    const newest = known && known.pricing.version > pricing.version ? known.pricing : pricing;
    known = { pricing: newest, confirmedAtMs: deps.now().getTime() };
    return newest;
  }

  async function askRates(): Promise<Pricing> {
    try {
      return remember(await deps.rates.get('/internal/pricing', Pricing));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      known ??= await findKept();
      if (!known || deps.now().getTime() - known.confirmedAtMs > SERVES_FOR_MS) throw error;
      return known.pricing;
    }
  }

  /** What an earlier run wrote down. Changes are events, so that it counts as confirmed when it is first looked for. */
  async function findKept() {
    const pricing = await findCopy(deps.db);
    return pricing && { pricing, confirmedAtMs: deps.now().getTime() };
  }

  async function latest(): Promise<Pricing> {
    // One that is under way may have been answered before whatever is asked about.
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
    const isFresh = known && deps.now().getTime() - known.confirmedAtMs < FRESH_FOR_MS;
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

/** The version makes this safe to repeat and to receive out of order. */
async function saveCopy(db: Db, pricing: Pricing, now: Date): Promise<void> {
  const row = { version: pricing.version, pricing: JSON.stringify(pricing), updated_at: now };
  await db
    .insertInto('pricing_copy')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(row).where(sql`pricing_copy.version`, '<', pricing.version),
    )
    .execute();
}
