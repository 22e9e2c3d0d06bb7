import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import type { DeadMessageFilter, DeadMessagesQuery, Redrive } from '@vuka/contracts/http/queues';
import { AppError } from '@vuka/service-kit/app-error';
import { violatedUnique } from '@vuka/service-kit/database';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Logger } from '@vuka/service-kit/logger';
import { maskSecrets } from '@vuka/service-kit/mask-secrets';
import type { DeadMessage, MessageBus } from '@vuka/service-kit/messaging/message-bus';
import { sql } from 'kysely';
import type { Db, RedriveRow, Transaction } from '#db/schema.ts';
import { asUnavailable } from './settle-dead-message.ts';

export interface RedriveDeps {
  db: Db;
  bus: MessageBus;
  now: () => Date;
  kickRelay: () => void;
}

export interface RedriveRequest {
  caller: Caller;
  queue: string;
  filter: DeadMessageFilter;
  perSecond: number;
  reason: string;
}

/** Longer than moving one part takes; after this, another process continues what a killed one began. */
const LEASE_SECONDS = 60;
const AGAIN_AFTER_SECONDS = 5;
/** A queue that appears empty may be in the hands of a process that lists its messages, which takes seconds. */
const MOST_EMPTY_ROUNDS = 6;
const MINUTE_MS = 60_000;
const LISTED_MS = 24 * 60 * MINUTE_MS;
const KEPT_DAYS = 30;

/** Which messages are meant, fixed when the redrive starts. */
type Criteria = Pick<RedriveRow, 'type' | 'died_of' | 'died_before'>;

function criteriaOf({ type, diedOf, olderThanMinutes }: DeadMessageFilter, now: Date): Criteria {
  return {
    type,
    died_of: diedOf,
    died_before: olderThanMinutes > 0 ? new Date(now.getTime() - olderThanMinutes * MINUTE_MS) : null,
  };
}

function matcherOf({ type, died_of, died_before }: Criteria): (message: DeadMessage) => boolean {
  const part = died_of.toLowerCase();
  return ({ diedAt, reason, ...message }) =>
    (died_before === null || (diedAt !== null && diedAt <= died_before)) &&
    (type === '' || message.type === type) &&
    reason.toLowerCase().includes(part);
}

/** How many dead messages match now. Throws unavailable. */
export function countMatching(deps: RedriveDeps, queue: string, filter: DeadMessageFilter): Promise<number> {
  return count(deps.bus, queue, criteriaOf(filter, deps.now()));
}

function count(bus: MessageBus, queue: string, criteria: Criteria): Promise<number> {
  return bus.countDead(queue, matcherOf(criteria)).catch(asUnavailable);
}

/** The oldest dead messages that match, with secrets masked. Throws unavailable. */
export async function listMatching(
  { bus, now }: Pick<RedriveDeps, 'bus' | 'now'>,
  queue: string,
  { limit, contains, ...filter }: DeadMessagesQuery,
): Promise<DeadMessage[]> {
  const meets = matcherOf(criteriaOf(filter, now()));
  // Masked before the search: otherwise a search could find out a secret.
  const hasText = ({ body }: DeadMessage) => contains === '' || JSON.stringify(maskSecrets(body)).includes(contains);
  const found = await bus.listDead(queue, limit, (message) => meets(message) && hasText(message)).catch(asUnavailable);
  return found.map((message) => ({ ...message, body: maskSecrets(message.body) }));
}

/**
 * Starts to move the dead messages that match back into their queue; `advanceRedrives` carries it out. Throws
 * already_decided while another redrive of the queue runs, and unavailable.
 */
export async function startRedrive(deps: RedriveDeps, request: RedriveRequest): Promise<Redrive> {
  const { caller, queue, filter, perSecond, reason } = request;
  const startedAt = deps.now();
  const criteria = criteriaOf(filter, startedAt);
  const matching = await count(deps.bus, queue, criteria);
  const { userId, adminId, name, address, requestId } = caller;
  const started = await deps.db
    .transaction()
    .execute(async (trx) => {
      const row = await trx
        .insertInto('redrives')
        .values({
          ...criteria,
          id: uuidv7(startedAt.getTime()),
          queue,
          per_second: perSecond,
          matching,
          caller: JSON.stringify({ userId, adminId, name, address, requestId }),
          reason,
          started_at: startedAt,
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(trx, row, 'dead-messages.redrive-started', startedAt);
      return row;
    })
    .catch((error: unknown) => {
      throw violatedUnique(error) === 'redrives_running' ? new AppError('redrive_running') : error;
    });
  deps.kickRelay();
  return toRedrive(started);
}

export async function listRedrives({ db, now }: Pick<RedriveDeps, 'db' | 'now'>): Promise<Redrive[]> {
  const rows = await db
    .selectFrom('redrives')
    .selectAll()
    .where((where) =>
      where.or([where('ended_at', 'is', null), where('started_at', '>', new Date(now().getTime() - LISTED_MS))]),
    )
    .orderBy('started_at', 'desc')
    .limit(50)
    .execute();
  return rows.map(toRedrive);
}

/** The audit trail keeps who did it and why. */
export async function pruneRedrives(db: Db): Promise<void> {
  await db
    .deleteFrom('redrives')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}

/**
 * Moves the next part of every redrive that is due; call it every second. A redrive ends after as many messages as
 * matched at its start, since a message that dies again comes last; or when it has found none for half a minute. If a process is killed after it moved a part and before
 * it counted it, the figure stays too low; the messages themselves are each in one place.
 */
export async function advanceRedrives(deps: RedriveDeps & { logger: Logger }): Promise<void> {
  const due = await deps.db
    .updateTable('redrives')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('id', 'in', (query) =>
      query
        .selectFrom('redrives')
        .select('id')
        .where('ended_at', 'is', null)
        .where('due_at', '<=', sql<Date>`now()`)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  for (const redrive of due) await advance(deps, redrive);
}

async function advance(deps: RedriveDeps & { logger: Logger }, redrive: RedriveRow): Promise<void> {
  const { id, queue, per_second, matching, moved: before } = redrive;
  let moved = 0;
  try {
    const most = Math.min(per_second, matching - before);
    if (most > 0) moved = await deps.bus.redrive(queue, most, matcherOf(redrive));
  } catch (error) {
    deps.logger.warn({ err: error, queue }, 'dead messages could not be sent again, trying again');
    await deps.db
      .updateTable('redrives')
      .set({ due_at: inSeconds(AGAIN_AFTER_SECONDS) })
      .where('id', '=', id)
      .execute();
    return;
  }
  const hasEnded = await deps.db.transaction().execute(async (trx) => {
    const at = deps.now();
    // Another process may have gone on, or ended it, if this one was suspended for longer than its lease.
    const known = await trx
      .selectFrom('redrives')
      .select(['moved', 'empty_rounds', 'ended_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const total = known.moved + moved;
    const emptyRounds = moved === 0 ? known.empty_rounds + 1 : 0;
    const ends = known.ended_at === null && (emptyRounds >= MOST_EMPTY_ROUNDS || total >= matching);
    const row = await trx
      .updateTable('redrives')
      .set({
        moved: total,
        empty_rounds: emptyRounds,
        due_at: inSeconds(moved === 0 ? AGAIN_AFTER_SECONDS : 0),
        ended_at: ends ? at : known.ended_at,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (ends) await record(trx, row, 'dead-messages.redriven', at);
    return ends;
  });
  if (hasEnded) deps.kickRelay();
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

async function record(trx: Transaction, row: RedriveRow, action: AuditAction, at: Date): Promise<void> {
  const { id, queue, caller, reason, type, died_of: diedOf, died_before: diedBefore, matching, moved } = row;
  const facts = {
    type,
    diedOf,
    diedBefore: diedBefore?.toISOString() ?? null,
    perSecond: row.per_second,
    matching,
    moved,
  };
  const subject = { kind: 'queue' as const, id, label: queue };
  await recordAction(trx, { source: '/vuka/admin', caller, action, subject, reason, after: facts }, at);
}

function toRedrive(row: RedriveRow): Redrive {
  const { id, queue, matching, moved, per_second: perSecond, started_at: startedAt, ended_at: endedAt } = row;
  return {
    id,
    queue,
    matching,
    moved,
    perSecond,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
