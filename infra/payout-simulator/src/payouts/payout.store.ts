import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Db, PayoutRow, Schema } from '#db/schema.ts';
import { minor } from './initiation.domain.ts';

/** How many payouts one statement advances. */
export const ADVANCE_LIMIT = 500;

export type NewPayout = Omit<
  PayoutRow,
  'status' | 'provider_reference' | 'failure_code' | 'callback_due_at' | 'callback_since' | 'callback_attempts'
>;
export type Acceptance = 'accepted' | 'duplicate' | 'out_of_funds';

/** Accepts each id once and reserves its amount. Commits before the requests are answered. */
export async function acceptPayouts(db: Db, payouts: NewPayout[]): Promise<Acceptance[]> {
  // Of duplicate ids the first is accepted.
  const first = new Map(payouts.toReversed().map((payout) => [payout.id, payout]));
  const taken = await takeAll(db, [...first.values()]);
  // Nothing was taken, because all ids are known or the float is too small for the batch.
  if (taken.size === 0) return acceptOneByOne(db, payouts);
  return payouts.map(({ id }) => (taken.delete(id) ? 'accepted' : 'duplicate'));
}

/**
 * Accepts the payouts that are not known yet, or none if the float is too small for all. The float is locked before
 * it is read, so that the check still holds when the reserve is written. Returns the accepted ids.
 */
async function takeAll(db: Db, payouts: NewPayout[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with asked as materialized (
      select * from json_to_recordset(${JSON.stringify(payouts)}) as p(id uuid, kind text, amount text, currency text,
        country text, msisdn text, network text, request jsonb, created_at timestamptz, steps jsonb,
        step_at timestamptz, effects jsonb)
    ), free as materialized (
      select currency, balance - reserved as amount from wallets
      where currency in (select currency from asked) order by currency for update
    ), taken as (
      insert into payouts (id, kind, status, amount, currency, country, msisdn, network, request, created_at, steps,
        step_at, effects)
      select id, kind, 'ACCEPTED', amount, currency, country, msisdn, network, request, created_at, steps, step_at, effects
      from asked
      where not exists (
        select from asked a group by a.currency
        having sum(a.amount::numeric) > coalesce((select f.amount from free f where f.currency = a.currency), 0))
      on conflict (id) do nothing
      returning id, currency, amount
    ), reserved as (
      update wallets w set reserved = w.reserved + t.total
      from (select currency, sum(amount::numeric) as total from taken group by currency) t
      where w.currency = t.currency
    )
    select id from taken`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Like `takeAll`, but accepts payouts in order until the float is used up. */
async function acceptOneByOne(db: Db, payouts: NewPayout[]): Promise<Acceptance[]> {
  return db.transaction().execute(async (trx) => {
    const available = await lockWallets(trx);
    const ids = payouts.map(({ id }) => id);
    const existing = await sql<{ id: string }>`select id from payouts where id = any(${ids}::uuid[])`.execute(trx);
    const known = new Set(existing.rows.map(({ id }) => id));
    const taken: NewPayout[] = [];
    const results = payouts.map((payout): Acceptance => {
      if (known.has(payout.id)) return 'duplicate';
      const left = (available.get(payout.currency) ?? 0n) - minor(payout.amount);
      if (left < 0n) return 'out_of_funds';
      available.set(payout.currency, left);
      known.add(payout.id);
      taken.push(payout);
      return 'accepted';
    });
    if (taken.length > 0) await takeAll(trx, taken);
    return results;
  });
}

/**
 * Locks the float; returns the free amount of each currency, in minor units. Transactions that need several rows lock
 * them in this order.
 */
async function lockWallets(trx: Transaction<Schema>): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ currency: string; available: string }>`
    select currency, (balance - reserved)::text as available from wallets order by currency for update`.execute(trx);
  return new Map(rows.map(({ currency, available }) => [currency, minor(available)]));
}

export interface AdvanceOptions {
  now: Date;
  sendsCallbacks: boolean;
  /** False by default. */
  reportsPayments?: boolean;
}

/**
 * Advances up to ADVANCE_LIMIT due payouts by one step. Money is paid, and entered in the ledger, in the commit that
 * writes COMPLETED. Returns the updated payouts.
 */
export function advanceDue(db: Db, options: AdvanceOptions): Promise<PayoutRow[]> {
  const due = sql`
    select id, steps -> 0 as step, steps - 0 as rest from payouts where step_at <= ${options.now}
    order by step_at limit ${ADVANCE_LIMIT} for update skip locked`;
  return moveOn(db, due, options);
}

/** Cancels an enqueued payout before it is paid; undefined if it is not enqueued. */
export async function cancelEnqueued(db: Db, id: string, options: AdvanceOptions): Promise<PayoutRow | undefined> {
  const cancellation = JSON.stringify({ status: 'FAILED', failureCode: 'MANUALLY_CANCELLED' });
  const enqueued = sql`
    select id, steps -> -1 || ${cancellation}::jsonb as step, '[]'::jsonb as rest from payouts
    where id = ${id} and status = 'ENQUEUED' for update`;
  const [cancelled] = await moveOn(db, enqueued, options);
  return cancelled;
}

/**
 * Advances payouts: `due` locks them and returns the step (plan.domain.ts) that each takes, and the remaining ones.
 */
async function moveOn(db: Db, due: RawBuilder<unknown>, options: AdvanceOptions): Promise<PayoutRow[]> {
  const { now, sendsCallbacks, reportsPayments = false } = options;
  const { rows } = await sql<PayoutRow>`
    with due as materialized (${due}),
    change as materialized (
      select id, step ->> 'status' as status, step ->> 'failureCode' as failure_code, rest,
        step ->> 'status' in ('COMPLETED', 'FAILED') as is_final, (rest -> 0 ->> 'afterMs')::float8 as next_ms,
        case when ${sendsCallbacks}::boolean then (step ->> 'callbackInMs')::float8 end as callback_ms
      from due
    ), moved as (
      update payouts p set status = c.status, failure_code = c.failure_code, steps = c.rest,
        provider_reference = case when c.status = 'COMPLETED' then upper(substr(gen_random_uuid()::text, 25, 10)) end,
        step_at = ${now}::timestamptz + c.next_ms * interval '1 ms',
        callback_due_at = ${now}::timestamptz + c.callback_ms * interval '1 ms',
        callback_since = case when c.is_final then ${now}::timestamptz end
      from change c where p.id = c.id
      returning p.*
    ), paid as (
      insert into ledger (id, msisdn, amount, currency, paid_at)
      select id, msisdn, amount, currency, ${now} from moved where status = 'COMPLETED'
    ), to_report as (
      insert into payment_reports (id, msisdn, amount, currency, paid_at)
      select id, msisdn, amount, currency, ${now} from moved where status = 'COMPLETED' and ${reportsPayments}::boolean
    ), ended as (
      select currency, sum(amount::numeric) as released,
        coalesce(sum(amount::numeric) filter (where status = 'COMPLETED'), 0) as paid
      from moved where status in ('COMPLETED', 'FAILED') group by currency
    ), locked as materialized (
      select currency from wallets where currency in (select currency from ended) order by currency for update
    ), settled as (
      update wallets w set balance = w.balance - e.paid, reserved = w.reserved - e.released
      from ended e join locked using (currency) where w.currency = e.currency
    )
    select * from moved`.execute(db);
  return rows;
}

/** The payouts with these ids, in order; undefined for an unknown id. */
export async function findPayouts(db: Db, ids: string[]): Promise<(PayoutRow | undefined)[]> {
  const rows = await db.selectFrom('payouts').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}
