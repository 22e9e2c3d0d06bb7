import type { Session } from '@vuka/contracts/http/sessions';
import { AppError } from '@vuka/service-kit/app-error';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import { LONGEST_SESSION_MS } from './check-sessions.ts';
import type { SealedOrigins } from './sealed-origins.ts';
import { announceSessionsEnded, forgetOtherDevices, hashToken } from './session.store.ts';

interface Deps {
  db: Db;
  now: () => Date;
}

/** The user's sessions that are still valid, the last used first. `token` is the requesting session. */
export async function listSessions(
  { db, now, sealedOrigins }: Deps & { sealedOrigins: SealedOrigins },
  userId: string,
  token: string,
): Promise<Session[]> {
  const rows = await valid(db, now())
    .select(['sessions.id', 'id_hash', 'user_agent', 'address', 'sealed', 'sessions.created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute();
  const current = hashToken(token);
  return rows.map((row) => ({
    id: row.id,
    ...sealedOrigins.open(row),
    signedInAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    isCurrent: row.id_hash.equals(current),
  }));
}

/**
 * Ends one of the user's sessions, or all except the requesting one; in that case it also forgets the other devices. Open
 * streams close. Throws not_found for a session that is over or belongs to another user.
 */
export async function endSessions(
  { db }: Deps,
  userId: string,
  { token, id }: { token: string; id?: string | undefined },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (id === undefined) return endOtherSessions(trx, userId, token);
    const own = trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id);
    if ((await own.returning('id').execute()).length === 0) throw new AppError('session_ended');
    await announceSessionsEnded(trx, { userId, reason: 'signed_out' });
  });
}

/** Ends the user's sessions and forgets the devices, except the session with this token and its device. */
export async function endOtherSessions(trx: Transaction, userId: string, token: string): Promise<void> {
  const others = trx.deleteFrom('sessions').where('user_id', '=', userId).where('id_hash', '!=', hashToken(token));
  const ended = await others.returning('id').execute();
  if (ended.length > 0) await announceSessionsEnded(trx, { userId, reason: 'signed_out' });
  await forgetOtherDevices(trx, userId, token);
}

/** Sessions that `checkSessions` would accept. */
function valid(db: Db, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('settings', (join) => join.on('settings.id', '=', 1))
    .whereRef('sessions.pin_version', '=', 'users.pin_version')
    .where('ended_by_block', '=', false)
    .where('sessions.created_at', '>', new Date(now.getTime() - LONGEST_SESSION_MS))
    .where('last_seen_at', '>', sql<Date>`${now}::timestamptz - make_interval(mins => settings.auto_logout_minutes)`);
}
