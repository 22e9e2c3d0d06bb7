import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { sql } from 'kysely';
import type { Trx } from '#db/schema.ts';

/** Later than any order. */
const LAST_DAY = '9999-12-31';
/** More than any allowance, and far below the maximum of a bigint. */
const EXHAUSTED = String(10n ** 17n);
const NEVER = '2000-01-01';

/**
 * Uses up the user's limits on sending and receiving until the end of time, and returns the earlier counts as JSON.
 * Every order and payment is counted in the statement that accepts it. An order whose statement runs after this one
 * therefore waits for the row, and the constraints refuse it.
 */
export async function exhaustLimits(trx: Trx, userId: string): Promise<string> {
  await sql`
    insert into limit_usage (user_id, currency, side, day, day_amount, day_allowed, month, month_amount, month_allowed)
    select ${userId}::uuid, currency, side, ${NEVER}::date, 0, 0, ${NEVER}::date, 0, 0
    from unnest(${WALLET_CURRENCIES}::text[]) as currency, unnest(array['in', 'out']) as side
    order by currency, side on conflict do nothing`.execute(trx);
  const { rows } = await sql<{ usage: string }>`
    with locked as (
      select * from limit_usage where user_id = ${userId} order by currency, side for update
    ) select coalesce(json_agg(locked), '[]')::text as usage from locked`.execute(trx);
  await sql`
    update limit_usage set day = ${LAST_DAY}, day_amount = ${EXHAUSTED}, day_allowed = ${EXHAUSTED},
      month = ${LAST_DAY}, month_amount = ${EXHAUSTED}, month_allowed = ${EXHAUSTED}
    where user_id = ${userId}`.execute(trx);
  return rows[0]?.usage ?? '[]';
}

/** Restores what was counted before the account stopped. */
export async function restoreLimits(trx: Trx, userId: string, usage: unknown): Promise<void> {
  await sql`
    update limit_usage set day = before.day, day_amount = before.day_amount, day_allowed = before.day_allowed,
      month = before.month, month_amount = before.month_amount, month_allowed = before.month_allowed
    from json_populate_recordset(null::limit_usage, ${JSON.stringify(usage)}) before
    where limit_usage.user_id = ${userId} and limit_usage.currency = before.currency
      and limit_usage.side = before.side`.execute(trx);
}
