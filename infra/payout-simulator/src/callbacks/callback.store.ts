import { sql } from 'kysely';
import type { Db, PayoutRow } from '#db/schema.ts';
import { CALLBACK_LEASE_MS } from '#effects/plan.domain.ts';

const CLAIM_LIMIT = 200;

/** The result of an attempt: null if there is nothing more to send. */
export interface CallbackAttempt {
  id: string;
  nextAt: Date | null;
}

/** Claims callbacks that are due, so that no other sender sends them at the same time. */
export async function claimCallbacks(db: Db, now: Date): Promise<PayoutRow[]> {
  const { rows } = await sql<PayoutRow>`
    update payouts set callback_due_at = ${new Date(now.getTime() + CALLBACK_LEASE_MS)}
    where id in (
      select id from payouts where callback_due_at <= ${now}
      order by callback_due_at limit ${CLAIM_LIMIT} for update skip locked)
    returning *`.execute(db);
  return rows;
}

/** Writes the results of attempts. */
export async function noteAttempts(db: Db, attempts: CallbackAttempt[]): Promise<undefined[]> {
  const changes = JSON.stringify(attempts);
  await sql`
    update payouts p set callback_due_at = c."nextAt", callback_attempts = p.callback_attempts + 1
    from json_to_recordset(${changes}) as c(id uuid, "nextAt" timestamptz) where p.id = c.id`.execute(db);
  return attempts.map(() => undefined);
}

/** Starts another 15 minutes of attempts for a final payout's callback. The caller makes the first attempt. */
export async function sendAgain(db: Db, id: string, now: Date): Promise<PayoutRow[]> {
  return db
    .updateTable('payouts')
    .set({ callback_due_at: new Date(now.getTime() + CALLBACK_LEASE_MS), callback_since: now })
    .where('id', '=', id)
    .returningAll()
    .execute();
}

/** After a start the holders of these leases no longer exist. Callbacks that are late on purpose stay late. */
export async function releaseCallbacks(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('payouts')
    .set({ callback_due_at: now })
    .where('callback_due_at', '>', now)
    .where('callback_due_at', '<=', new Date(now.getTime() + CALLBACK_LEASE_MS))
    .execute();
}
