import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';

/** One block or change of a role at a time, so that two administrators cannot remove each other concurrently. */
export async function keepRolesWaiting(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('blocks'))`.execute(trx);
}

/** Whether another administrator, of this role if one is given, is neither blocked nor inactive. */
export async function otherWhoCanSignIn(db: Db | Transaction, userId: string, role?: AdminRole): Promise<boolean> {
  const others = otherAdministrators(db, userId, role).where('users.is_blocked', '=', false);
  return (await others.executeTakeFirst()) !== undefined;
}

/** The role in which an administrator can act now: null for one who is blocked or inactive, or no administrator. */
export async function roleNow(db: Db | Transaction, userId: string): Promise<AdminRole | null> {
  const admin = await db
    .selectFrom('admins')
    .innerJoin('users', 'users.id', 'admins.user_id')
    .select('admins.role')
    .where('users.id', '=', userId)
    .where('users.is_active', '=', true)
    .where('users.is_blocked', '=', false)
    .executeTakeFirst();
  return admin?.role ?? null;
}

/**
 * Whether there is another owner. Blocked owners count: otherwise blocking the others would make an owner the only one.
 */
export async function hasOtherOwner(trx: Transaction, userId: string): Promise<boolean> {
  return (await otherAdministrators(trx, userId, 'owner').executeTakeFirst()) !== undefined;
}

function otherAdministrators(db: Db | Transaction, userId: string, role?: AdminRole) {
  const others = db
    .selectFrom('admins')
    .innerJoin('users', 'users.id', 'admins.user_id')
    .select('users.id')
    .where('users.is_active', '=', true)
    .where('users.id', '!=', userId);
  return role ? others.where('admins.role', '=', role) : others;
}

/**
 * Writes a role, in a statement that leaves an owner who can sign in. Returns false if there would be none. Hold the
 * lock of `keepRolesWaiting`: a statement alone does not see what a concurrent one is about to write.
 */
export async function writeRole(trx: Transaction, userId: string, role: AdminRole): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update admins set role = ${role}
    where user_id = ${userId} and (
      role <> 'owner' or ${role} = 'owner' or exists (
        select from admins other join users on users.id = other.user_id
        where other.role = 'owner' and other.user_id <> admins.user_id and users.is_active and not users.is_blocked))
  `.execute(trx);
  return numAffectedRows === 1n;
}
