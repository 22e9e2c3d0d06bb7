import { isDeepStrictEqual } from 'node:util';
import type { AdminRight } from '@vuka/contracts/http/admin-rights';
import type { Proposal, ProposalStatus, ProposalsQuery } from '@vuka/contracts/http/proposals';
import type { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import { cutPage } from '@vuka/service-kit/page';
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { type Caller, idOfAdmin } from './caller.ts';
import { AWAITING_APPROVAL, type Obstacle, obstacleTo, statusAfter } from './four-eyes.ts';
import { mustStillHave, type RoleNow } from './requesters.ts';

/**
 * Changes that one person proposes and another decides on. A service stores the proposed change as JSON and carries
 * it out itself, in the transaction of the decision. Each subject has at most one open proposal.
 */
export interface ProposalRow<Change = unknown> {
  id: string;
  subject: string;
  created_at: Date;
  expires_at: Date;
  status: ProposalStatus;
  /** The values in force when it was proposed, and the proposed values. */
  before: Change;
  after: Change;
  requester_user_id: string;
  requester_id: string;
  requester_name: string;
  decider_user_id: string | null;
  decider_id: string | null;
  decider_name: string | null;
  decided_at: Date | null;
  refusal_reason: string | null;
}

/** A schema with proposals. */
export interface ProposalsSchema {
  proposals: ProposalRow;
}

/** Who acts, and when. */
export interface Act {
  caller: Caller;
  at: Date;
}

const LIFETIME_MS = 24 * 3_600_000;

/** Creates the table; a service whose changes need two people includes it in its migrations. */
export const proposalsMigration = {
  async up<Schema>(db: Kysely<Schema>): Promise<void> {
    await sql`
      create table proposals (
        id uuid primary key,
        subject text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null check (expires_at > created_at),
        status text not null default 'awaiting_approval'
          check (status in ('awaiting_approval', 'approved', 'refused', 'superseded', 'expired')),
        before jsonb not null,
        after jsonb not null,
        requester_user_id uuid not null,
        requester_id text not null,
        requester_name text not null,
        decider_user_id uuid,
        decider_id text,
        decider_name text,
        decided_at timestamptz,
        refusal_reason text,
        constraint proposals_requester_is_no_decider check (decider_user_id <> requester_user_id),
        constraint proposals_decided_by_one check (
          num_nonnulls(decider_user_id, decider_id, decider_name, decided_at)
            = case when status in ('approved', 'refused') then 4 else 0 end),
        constraint proposals_refused_for_a_reason check ((status = 'refused') = (refusal_reason is not null)),
        constraint proposals_decided_in_time check (decided_at < expires_at)
      )`.execute(db);
    await sql`
      create unique index proposals_one_waits on proposals (subject) where status = 'awaiting_approval'`.execute(db);
    await sql`create index proposals_listed on proposals (subject, status, id)`.execute(db);
    await sql`
      create function refuse_changed_proposal() returns trigger language plpgsql as $$
      begin
        raise exception 'proposal % is closed, or would become another one', old.id using errcode = 'VK004';
      end $$`.execute(db);
    await sql`
      create trigger proposals_decided_once before update on proposals for each row
      when (
        old.status <> 'awaiting_approval'
        or (new.id, new.subject, new.after, new.before, new.requester_user_id, new.created_at, new.expires_at)
          is distinct from
          (old.id, old.subject, old.after, old.before, old.requester_user_id, old.created_at, old.expires_at))
      execute function refuse_changed_proposal()`.execute(db);
  },
};

export interface ProposedChange<Change> {
  subject: string;
  before: Change;
  after: Change;
}

/**
 * Enters a proposal and closes the one that waited. If the same person proposes the same change again, the open
 * proposal is returned: `isNew` is false. Serialize calls for one subject with a lock of the service.
 */
export async function propose<Change>(
  trx: QueryExecutorProvider,
  { subject, before, after }: ProposedChange<Change>,
  { caller, at }: Act,
): Promise<{ proposal: ProposalRow<Change>; isNew: boolean }> {
  const waiting = await findWaiting<Change>(trx, subject);
  const isRepeat =
    waiting !== undefined &&
    statusOf(waiting, at) === AWAITING_APPROVAL &&
    waiting.requester_user_id === caller.userId &&
    isDeepStrictEqual([waiting.before, waiting.after], [before, after]);
  if (isRepeat) return { proposal: waiting, isNew: false };
  await supersedeProposals(trx, subject, at);
  const { rows } = await sql<ProposalRow<Change>>`
    insert into proposals (
      id, subject, created_at, expires_at, before, after, requester_user_id, requester_id, requester_name
    ) values (
      ${uuidv7(at.getTime())}, ${subject}, ${at}, ${new Date(at.getTime() + LIFETIME_MS)},
      ${JSON.stringify(before)}, ${JSON.stringify(after)},
      ${caller.userId}, ${idOfAdmin(caller)}, ${caller.name}
    ) returning *`.execute(trx);
  return { proposal: only(rows), isNew: true };
}

/** Closes the open proposal, since its subject has changed. */
export async function supersedeProposals(trx: QueryExecutorProvider, subject: string, at: Date): Promise<void> {
  await sql`
    update proposals set status = case when expires_at <= ${at} then 'expired' else 'superseded' end
    where subject = ${subject} and status = 'awaiting_approval'`.execute(trx);
}

/**
 * Writes a decision on a proposal. If the same person repeats their decision, `isNew` is false and there is nothing
 * to carry out. Throws not_found, forbidden for the requester, already_decided.
 */
export async function decideProposal<Change>(
  trx: QueryExecutorProvider,
  { subject, id, decision }: DecisionRequest & { subject: string },
  { caller, at }: Act,
): Promise<{ proposal: ProposalRow<Change>; isNew: boolean }> {
  const { rows } = await sql<ProposalRow<Change>>`
    select * from proposals where id = ${id} and subject = ${subject} for update`.execute(trx);
  const [proposal] = rows;
  if (!proposal) throw new AppError('proposal_not_found');
  const status = statusOf(proposal, at);
  const reviewed = { requesterId: proposal.requester_user_id, deciderId: proposal.decider_user_id, status };
  const obstacle = obstacleTo(reviewed, decision, caller.userId);
  if (obstacle === 'decided_so') return { proposal, isNew: false };
  if (obstacle) throw refusalOf(obstacle, status);
  const decided = await sql<ProposalRow<Change>>`
    update proposals set status = ${statusAfter(decision)}, decider_user_id = ${caller.userId},
      decider_id = ${idOfAdmin(caller)}, decider_name = ${caller.name}, decided_at = ${at},
      refusal_reason = ${decision.kind === 'refuse' ? decision.reason : null}
    where id = ${id} returning *`.execute(trx);
  return { proposal: only(decided.rows), isNew: true };
}

/**
 * Call it before the transaction of a decision. Throws requester_lost_right if the decision approves a change that its
 * proposer may no longer propose.
 */
export async function mustStillPropose(
  db: QueryExecutorProvider,
  { id, decision }: DecisionRequest,
  { right, roleNow }: { right: AdminRight; roleNow: RoleNow },
): Promise<void> {
  if (decision.kind !== 'approve') return;
  const { rows } = await sql<Pick<ProposalRow, 'requester_user_id'>>`
    select requester_user_id from proposals where id = ${id} and status = 'awaiting_approval'`.execute(db);
  const [waiting] = rows;
  if (waiting) await mustStillHave(roleNow, waiting.requester_user_id, right);
}

/** Proposals of one status, newest first, a page at a time; of one subject, or of all in this database. */
export async function listProposals<Change>(
  db: QueryExecutorProvider,
  { subject, status, limit, cursor }: ProposalsQuery & { subject?: string },
  at: Date,
): Promise<{ rows: ProposalRow<Change>[]; nextCursor: string | null }> {
  const { rows } = await sql<ProposalRow<Change>>`
    select * from proposals
    where (${subject ?? null}::text is null or subject = ${subject ?? null}::text)
      and ${status} = case when status = 'awaiting_approval' and expires_at <= ${at} then 'expired' else status end
      and (${cursor ?? null}::uuid is null or id < ${cursor ?? null}::uuid)
    order by id desc limit ${limit + 1}`.execute(db);
  return cutPage(rows, limit, ({ id }) => id);
}

/** The public form of a proposal, for this reader. */
export function toProposal(row: ProposalRow, readerId: string, at: Date): Proposal {
  const { decider_id: deciderId } = row;
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    status: statusOf(row, at),
    requestedBy: { adminId: row.requester_id, name: row.requester_name },
    decidedBy: deciderId === null ? null : { adminId: deciderId, name: row.decider_name ?? '' },
    decidedAt: row.decided_at?.toISOString() ?? null,
    refusalReason: row.refusal_reason,
    isOwn: row.requester_user_id === readerId,
  };
}

/** A proposal expires by the clock: its row is updated only when another one replaces it. */
function statusOf({ status, expires_at }: Pick<ProposalRow, 'status' | 'expires_at'>, at: Date): ProposalStatus {
  return status === AWAITING_APPROVAL && expires_at <= at ? 'expired' : status;
}

async function findWaiting<Change>(trx: QueryExecutorProvider, subject: string) {
  const { rows } = await sql<ProposalRow<Change>>`
    select * from proposals where subject = ${subject} and status = 'awaiting_approval' for update`.execute(trx);
  return rows[0];
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`one row expected, got ${rows.length}`);
  return row;
}

function refusalOf(obstacle: Exclude<Obstacle, 'decided_so'>, status: ProposalStatus): AppError {
  if (obstacle !== 'closed') {
    return new AppError('proposal_of_own');
  }
  if (status === 'expired') return new AppError('proposal_expired');
  if (status === 'superseded') {
    return new AppError('proposal_superseded');
  }
  return new AppError('proposal_decided');
}
