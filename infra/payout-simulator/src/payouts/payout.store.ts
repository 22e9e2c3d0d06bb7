import { randomBytes } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { findEffect, numberOf } from '#control/effect.domain.ts';
import type { Db, PayoutRow, Schema } from '#db/schema.ts';
import { isFinal } from './plan.domain.ts';

const ADVANCE_LIMIT = 500;

/** A callback that is being sent is left to its sender for this long, ms. */
export const CALLBACK_LEASE_MS = 30_000;
const LATE_MS = 16 * 60_000;

export type NewPayout = Omit<
  PayoutRow,
  'status' | 'provider_reference' | 'failure_code' | 'callback_due_at' | 'callback_since' | 'callback_attempts'
>;
export type Acceptance = 'accepted' | 'duplicate' | 'out_of_funds';

/** Takes payouts, each id once, and reserves their amounts. What is answered is committed. */
export async function acceptPayouts(db: Db, payouts: NewPayout[]): Promise<Acceptance[]> {
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
    if (taken.length > 0) await insertPayouts(trx, taken);
    return results;
  });
}

async function insertPayouts(trx: Transaction<Schema>, payouts: NewPayout[]): Promise<void> {
  await sql`
    with taken as (
      insert into payouts (id, kind, status, amount, currency, country, msisdn, network, request, created_at, steps,
        step_at, effects)
      select id, kind, 'ACCEPTED', amount, currency, country, msisdn, network, request, created_at, steps, step_at, effects
      from json_to_recordset(${JSON.stringify(payouts)}) as p(id uuid, kind text, amount text, currency text,
        country text, msisdn text, network text, request jsonb, created_at timestamptz, steps jsonb,
        step_at timestamptz, effects jsonb)
      returning currency, amount
    )
    update wallets w set reserved = reserved + t.total
    from (select currency, sum(amount::numeric) as total from taken group by currency) t
    where w.currency = t.currency`.execute(trx);
}

/** Locks the float; answers what of each currency is free, in minor units. Everything that writes starts here. */
async function lockWallets(trx: Transaction<Schema>): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ currency: string; available: string }>`
    select currency, (balance - reserved)::text as available from wallets order by currency for update`.execute(trx);
  return new Map(rows.map(({ currency, available }) => [currency, minor(available)]));
}

function minor(amount: string): bigint {
  const [units = '0', cents = ''] = amount.split('.');
  return BigInt(units + cents.padEnd(2, '0').slice(0, 2));
}

export interface AdvanceOptions {
  now: Date;
  sendsCallbacks: boolean;
}

/**
 * Takes up to 500 payouts whose time has come one step on. Money goes out, and into the ledger, in the commit that says
 * COMPLETED. Answers the payouts as they are now.
 */
export async function advanceDue(db: Db, options: AdvanceOptions): Promise<PayoutRow[]> {
  return db.transaction().execute(async (trx) => {
    await lockWallets(trx);
    const due = await trx
      .selectFrom('payouts')
      .selectAll()
      .where('step_at', '<=', options.now)
      .orderBy('step_at')
      .limit(ADVANCE_LIMIT)
      .forUpdate()
      .execute();
    return writeSteps(
      trx,
      due.map((row) => takeStep(row, options)),
      options.now,
    );
  });
}

/** Ends an enqueued payout before it is paid; undefined where it is none. */
export async function cancelEnqueued(db: Db, id: string, options: AdvanceOptions): Promise<PayoutRow | undefined> {
  return db.transaction().execute(async (trx) => {
    await lockWallets(trx);
    const row = await trx
      .selectFrom('payouts')
      .selectAll()
      .where('id', '=', id)
      .where('status', '=', 'ENQUEUED')
      .forUpdate()
      .executeTakeFirst();
    if (!row) return undefined;
    const steps = [{ status: 'FAILED', afterMs: 0, failureCode: 'MANUALLY_CANCELLED' }];
    const [cancelled] = await writeSteps(trx, [takeStep({ ...row, steps }, options)], options.now);
    return cancelled;
  });
}

function takeStep(row: PayoutRow, { now, sendsCallbacks }: AdvanceOptions): PayoutRow {
  const [step, next, ...rest] = row.steps;
  if (!step) return { ...row, step_at: null };
  const ends = isFinal(step.status);
  return {
    ...row,
    status: step.status,
    failure_code: step.failureCode ?? null,
    provider_reference: step.status === 'COMPLETED' ? randomBytes(5).toString('hex').toUpperCase() : null,
    steps: next ? [next, ...rest] : [],
    step_at: next ? new Date(now.getTime() + next.afterMs) : null,
    callback_due_at: ends && sendsCallbacks ? firstCallbackAt(row, now) : null,
    callback_since: ends ? now : null,
  };
}

function firstCallbackAt(row: PayoutRow, now: Date): Date | null {
  if (findEffect(row.effects, 'callback_lost')) return null;
  const late = findEffect(row.effects, 'callback_late');
  // The lease of whoever sends it right after the commit.
  return new Date(now.getTime() + (late ? numberOf(late, 'ms', LATE_MS) : CALLBACK_LEASE_MS));
}

async function writeSteps(trx: Transaction<Schema>, rows: PayoutRow[], now: Date): Promise<PayoutRow[]> {
  if (rows.length === 0) return [];
  const changes = rows.map(({ request: _request, effects: _effects, ...row }) => row);
  await sql`
    with change as (
      select * from json_to_recordset(${JSON.stringify(changes)}) as c(id uuid, status text, failure_code text,
        provider_reference text, steps jsonb, step_at timestamptz, callback_due_at timestamptz,
        callback_since timestamptz)
    ), moved as (
      update payouts p set status = c.status, failure_code = c.failure_code,
        provider_reference = c.provider_reference, steps = c.steps, step_at = c.step_at,
        callback_due_at = c.callback_due_at, callback_since = c.callback_since
      from change c where p.id = c.id
      returning p.id, p.msisdn, p.amount, p.currency, p.status
    ), paid as (
      insert into ledger (id, msisdn, amount, currency, paid_at)
      select id, msisdn, amount, currency, ${now} from moved where status = 'COMPLETED'
    )
    update wallets w set balance = balance - t.paid, reserved = reserved - t.released
    from (
      select currency, sum(amount::numeric) as released,
        coalesce(sum(amount::numeric) filter (where status = 'COMPLETED'), 0) as paid
      from moved where status in ('COMPLETED', 'FAILED') group by currency
    ) t where w.currency = t.currency`.execute(trx);
  return rows;
}

/** The payouts with these ids, in order; undefined where there is none. */
export async function findPayouts(db: Db, ids: string[]): Promise<(PayoutRow | undefined)[]> {
  const rows = await db.selectFrom('payouts').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** When the next step of any payout is due; undefined when nothing is to come. */
export async function nextStepAt(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(step_at) as at from payouts where step_at is not null`.execute(db);
  return rows[0]?.at ?? undefined;
}
