import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { LONGEST_LOCK_MS } from '#pins/pin-lock.domain.ts';

/** Clocks of two processes may differ by this much. A time further ahead is from before the clock was set back. */
export const CLOCK_TOLERANCE_MS = 30_000;

/**
 * After the clock was set back, stored times may lie in the future: limits based on them would last that much longer, years
 * if the clock was years ahead. So they count as now. A clock that is set forward cannot be told from time that has passed.
 */
export async function correctTimesAhead(db: Db, now: Date): Promise<void> {
  const latest = new Date(now.getTime() + CLOCK_TOLERANCE_MS);
  await correctSessions(db, now, latest);
  await correctLocks(db, now, latest);
  // Void, because one that was replaced could otherwise be entered again. Another one can be sent after a minute.
  await sql`
    update one_time_codes set created_at = ${now}, expires_at = least(expires_at, ${now})
    where created_at > ${latest}`.execute(db);
  await sql`update unlock_requests set requested_at = ${now} where requested_at > ${latest}`.execute(db);
}

/**
 * Nobody is signed out, and from here the limits are the usual ones. Confirmations that are ahead become old, or they would
 * count as recent once more when their time comes.
 */
async function correctSessions(db: Db, now: Date, latest: Date): Promise<void> {
  await sql`
    update sessions set
      created_at = least(created_at, ${now}), last_seen_at = least(last_seen_at, ${now}),
      pin_checked_at = case when pin_checked_at > ${latest} then null else pin_checked_at end,
      factor_verified_at = case when factor_verified_at > ${latest} then 'epoch' else factor_verified_at end
    where greatest(created_at, last_seen_at, pin_checked_at, factor_verified_at) > ${latest}`.execute(db);
}

/** How long a lock was meant to last is not stored, so it ends after the longest one. Counts within a window begin now. */
async function correctLocks(db: Db, now: Date, latest: Date): Promise<void> {
  const [lockEnd, latestEnd] = [now, latest].map((time) => new Date(time.getTime() + LONGEST_LOCK_MS));
  await sql`update stranger_sign_ins set locked_until = ${lockEnd} where locked_until > ${latestEnd}`.execute(db);
  await sql`update stranger_sign_ins set updated_at = ${now} where updated_at > ${latest}`.execute(db);
  await sql`update factor_attempts set locked_until = ${lockEnd} where locked_until > ${latestEnd}`.execute(db);
  await sql`update users set pin_locked_until = ${lockEnd} where pin_locked_until > ${latestEnd}`.execute(db);
  // Lower limits hold for a day after a reset.
  await sql`update users set pin_reset_at = ${now} where pin_reset_at > ${latest}`.execute(db);
}
