import { type ProposalRow, toProposal } from '@vuka/access/proposals';
import type { Administrator, UnlockRequest } from '@vuka/contracts/http/administrators';
import { sql } from 'kysely';
import { strangersLockedUntil } from '#db/locks.ts';
import type { Db } from '#db/schema.ts';
import { lockEnd } from '#users/user.view.ts';
import type { RoleOf } from './change-role.ts';
import { REQUEST_LASTS_MS, unlockStep } from './unlock.domain.ts';

/** The caller and the current time. */
export interface Look {
  callerId: string;
  now: Date;
}

/** All administrators, oldest first. */
export async function listAdministrators(db: Db, look: Look): Promise<Administrator[]> {
  const [rows, proposals] = await Promise.all([
    selectAdministrators(db, look.now).execute(),
    waitingRoles(db, look.now),
  ]);
  return rows.map((row) => toAdministrator(row, proposals, look));
}

/** One administrator; undefined if the user is not one. */
export async function findAdministrator(db: Db, userId: string, look: Look): Promise<Administrator | undefined> {
  const row = await selectAdministrators(db, look.now).where('users.id', '=', userId).executeTakeFirst();
  return row && toAdministrator(row, await waitingRoles(db, look.now), look);
}

/** An unlock request is valid until it expires, and only while its requester is an owner who can sign in. */
function selectAdministrators(db: Db, now: Date) {
  const since = new Date(now.getTime() - REQUEST_LASTS_MS);
  return db
    .selectFrom('users')
    .innerJoin('admins', 'admins.user_id', 'users.id')
    .leftJoin(
      (from) =>
        from
          .selectFrom('unlock_requests')
          .innerJoin('users as requester', 'requester.id', 'unlock_requests.requested_by')
          .leftJoin('admins as requesting_admin', 'requesting_admin.user_id', 'requester.id')
          .where('requester.is_blocked', '=', false)
          .where('requester.is_active', '=', true)
          .where('requesting_admin.role', '=', 'owner')
          .where('unlock_requests.requested_at', '>', since)
          .select([
            'unlock_requests.user_id',
            'unlock_requests.requested_by',
            'unlock_requests.requested_at',
            'requester.full_name as requester_name',
            'requesting_admin.admin_id as requester_admin_id',
          ])
          .as('request'),
      (join) => join.onRef('request.user_id', '=', 'users.id'),
    )
    .select(['users.id', 'users.full_name', 'users.email', 'users.is_blocked', 'users.pin_locked_until'])
    .select(strangersLockedUntil.as('strangers_locked_until'))
    .select(['admins.admin_id', 'admins.role'])
    .select(
      sql<number>`(select count(*)::int from second_factors where second_factors.user_id = users.id)`.as('factors'),
    )
    .select(['request.requested_by', 'request.requested_at', 'request.requester_name', 'request.requester_admin_id'])
    .select(
      sql<number>`(
        select count(*)::int from users other join admins as owner on owner.user_id = other.id
        where owner.role = 'owner' and other.is_active and not other.is_blocked and other.id <> users.id)`.as(
        'other_owners',
      ),
    )
    .orderBy('admins.id');
}

/** Roles that wait for a second owner. */
async function waitingRoles(db: Db, now: Date): Promise<ProposalRow<RoleOf>[]> {
  const rows = await db
    .selectFrom('proposals')
    .selectAll()
    .where('status', '=', 'awaiting_approval')
    .where('expires_at', '>', now)
    .execute();
  return rows as ProposalRow<RoleOf>[];
}

type AdministratorRow = Awaited<ReturnType<ReturnType<typeof selectAdministrators>['execute']>>[number];

function toAdministrator(
  row: AdministratorRow,
  proposals: readonly ProposalRow<RoleOf>[],
  { callerId, now }: Look,
): Administrator {
  const proposal = proposals.find(({ after }) => after.userId === row.id);
  const lockedUntil = lockEnd(row, now);
  const isLocked = lockedUntil !== undefined;
  const facts = { id: row.id, isLocked, requestedBy: row.requested_by, otherOwners: row.other_owners };
  return {
    id: row.id,
    adminId: row.admin_id,
    role: row.role,
    secondFactors: row.factors,
    roleProposal: proposal
      ? { ...toProposal(proposal, callerId, now), from: proposal.before.role, to: proposal.after.role }
      : null,
    fullName: row.full_name,
    email: row.email,
    isBlocked: row.is_blocked,
    lockedUntil: lockedUntil?.toISOString() ?? null,
    // An expired lock needs no unlock.
    unlockRequest: isLocked ? toUnlockRequest(row) : null,
    unlockStep: unlockStep(facts, callerId),
  };
}

function toUnlockRequest(row: AdministratorRow): UnlockRequest | null {
  if (row.requested_by === null || row.requested_at === null) return null;
  return {
    requestedBy: { id: row.requested_by, adminId: row.requester_admin_id, name: row.requester_name ?? '' },
    requestedAt: row.requested_at.toISOString(),
    expiresAt: new Date(row.requested_at.getTime() + REQUEST_LASTS_MS).toISOString(),
  };
}
