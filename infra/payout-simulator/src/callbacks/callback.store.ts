import { sql } from 'kysely';
import type { Db, PayoutRow } from '#db/schema.ts';
import { CALLBACK_LEASE_MS } from '#effects/plan.domain.ts';

const CLAIM_LIMIT = 200;

/** What became of an attempt: null when there is nothing more to send. */
export interface CallbackAttempt {
  id: string;
  nextAt: Date | null;
}

/** Takes callbacks that are due, so that nobody else sends them meanwhile. */
export async function claimCallbacks(db: Db, now: Date): Promise<PayoutRow[]> {
  const { rows } = await sql<PayoutRow>`
    update payouts set callback_due_at = ${new Date(now.getTime() + CALLBACK_LEASE_MS)}
    where id in (
      select id from payouts where callback_due_at <= ${now}
      order by callback_due_at limit ${CLAIM_LIMIT} for update skip locked)
    returning *`.execute(db);
  return rows;
}

/** Writes down attempts that were made. */
export async function noteAttempts(db: Db, attempts: CallbackAttempt[]): Promise<undefined[]> {
  const changes = JSON.stringify(attempts);
  await sql`
    update payouts p set callback_due_at = c."nextAt", callback_attempts = p.callback_attempts + 1
    from json_to_recordset(${changes}) as c(id uuid, "nextAt" timestamptz) where p.id = c.id`.execute(db);
  return attempts.map(() => undefined);
}

/** Takes a final payout's callback up again, for another 15 minutes of attempts. The caller sends the first of them. */
export async function sendAgain(db: Db, id: string, now: Date): Promise<PayoutRow[]> {
  return db
    .updateTable('payouts')
    .set({ callback_due_at: new Date(now.getTime() + CALLBACK_LEASE_MS), callback_since: now })
    .where('id', '=', id)
    .returningAll()
    .execute();
}

/** After a start: whoever held these leases is gone. A callback that is meant to be late stays late. */
export async function releaseCallbacks(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('payouts')
    .set({ callback_due_at: now })
    .where('callback_due_at', '>', now)
    .where('callback_due_at', '<=', new Date(now.getTime() + CALLBACK_LEASE_MS))
    .execute();
}
