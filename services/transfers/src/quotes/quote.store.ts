import type { Quote } from '@vuka/contracts/http/quotes';
import { formatMoney } from '@vuka/money';
import { corridorOf } from '@vuka/money/directions';
import { pruneInBatches } from '@vuka/service-kit/prune';
import { sql } from 'kysely';
import type { Db, QuoteRow } from '#db/schema.ts';
import type { Price } from './quote.domain.ts';

/** Inserts quotes in one statement, the same for any number. */
export async function insertQuotes(db: Db, quotes: QuoteRow[]): Promise<void> {
  const rows = JSON.stringify(quotes, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  await sql`insert into quotes select * from json_populate_recordset(null::quotes, ${rows})`.execute(db);
}

export function findQuotes(db: Db, ids: string[]): Promise<QuoteRow[]> {
  return db.selectFrom('quotes').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute();
}

/** Deletes quotes that expired more than an hour ago. */
export async function pruneQuotes(db: Db, now: Date): Promise<void> {
  const end = new Date(now.getTime() - 3_600_000);
  await pruneInBatches(
    db,
    (limit) => sql`delete from quotes where id = any(array(
      select id from quotes where expires_at < ${end} order by expires_at limit ${limit}))`,
  );
}

export function priceOfQuote(quote: QuoteRow): Price {
  const { source: sourceCurrency, target: targetCurrency } = corridorOf(quote.direction);
  return {
    direction: quote.direction,
    sourceAmount: quote.source_amount,
    sourceCurrency,
    targetAmount: quote.target_amount,
    targetCurrency,
    midAmount: quote.mid_amount,
    fee: quote.fee,
    rate: quote.exchange_rate,
  };
}

export function toQuote(quote: QuoteRow): Quote {
  const price = priceOfQuote(quote);
  return {
    quoteId: quote.id,
    direction: price.direction,
    rate: price.rate,
    sourceAmount: formatMoney(price.sourceAmount),
    sourceCurrency: price.sourceCurrency,
    targetAmount: formatMoney(price.targetAmount),
    targetCurrency: price.targetCurrency,
    fee: formatMoney(price.fee),
    expiresAt: quote.expires_at.toISOString(),
  };
}
