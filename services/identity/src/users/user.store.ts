import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { type Kysely, sql } from 'kysely';
import { strangersLockedUntil } from '#db/locks.ts';
import type { Db, Schema, Transaction, UserRow } from '#db/schema.ts';

/** A user with the merchant or administrator id. */
export type UserRecord = UserRow & { merchant_id: string | null; admin_id: string | null; role: AdminRole | null };

/** The id of no user. */
export const NO_USER_ID = '00000000-0000-0000-0000-000000000000';

export function selectUsers(db: Kysely<Schema>) {
  return db
    .selectFrom('users')
    .leftJoin('merchants', 'merchants.user_id', 'users.id')
    .leftJoin('admins', 'admins.user_id', 'users.id')
    .selectAll('users')
    .select(['merchants.merchant_id', 'admins.admin_id', 'admins.role']);
}

/** Users with the end of their locks of sign-ins, for administrators. */
export function selectAccounts(db: Kysely<Schema>) {
  return selectUsers(db).select(strangersLockedUntil.as('strangers_locked_until'));
}

export type AccountRecord = UserRecord & { strangers_locked_until: Date | null };

export function findUser(db: Db, id: string): Promise<UserRecord | undefined> {
  return selectUsers(db).where('users.id', '=', id).executeTakeFirst();
}

export function findUserByEmail(db: Db, email: string): Promise<UserRecord | undefined> {
  return selectUsers(db).where(sql`lower(users.email)`, '=', email.toLowerCase()).executeTakeFirst();
}

/** Locks the column `subject`. Locks are taken in code point order to prevent deadlocks. */
const LOCK_OF_SUBJECT = sql`pg_advisory_xact_lock(hashtextextended(subject, 0))`;

/**
 * Serialises the checks of these users' PINs until the transaction ends, without writing a row. Call it before anything
 * locks a row of these users or their sessions: checks write both, so any other order is a deadlock.
 */
export async function lockPinChecks(trx: Transaction, subjects: readonly string[]): Promise<void> {
  const ordered = [...new Set(subjects)].sort();
  await sql`select ${LOCK_OF_SUBJECT} from unnest(${ordered}::text[]) subject`.execute(trx);
}

/** Like `lockPinChecks`, for the users of these sessions, which need not have been read. */
export const lockPinChecksOf = (sessionHashes: Buffer[]) => sql`
  select ${LOCK_OF_SUBJECT} from (
    select distinct user_id::text collate "C" as subject from sessions where id_hash = any(${sessionHashes})
    order by subject
  ) as ordered`;
