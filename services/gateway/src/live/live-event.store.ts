import { pruneInBatches } from '@vuka/service-kit/prune';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import type { LiveEvent } from './live-hub.ts';

/** The channel on which replicas announce new events: `kept <first id> <last id>`, or `users <event> <user ids>`. */
export const LIVE_CHANNEL = 'vuka_live';
export const LIVE_QUEUE = 'gateway.live-events';

const KEPT_FOR_MINUTES = 60;
const REPLAY_LIMIT = 500;

export interface NewLiveEvent {
  messageId: string;
  userId: string;
  name: string;
  data: unknown;
}

/**
 * Stores a message's events once, and notifies every replica, in one statement. A message that arrives again after its
 * events were deleted stores them anew; pages then only refetch a state that they already show.
 */
export async function storeLiveEvents(db: Db, events: NewLiveEvent[]): Promise<void> {
  const rows = events.map((event) => ({ ...event, message_id: event.messageId, user_id: event.userId }));
  await sql`
    with kept as (
      insert into live_events (message_id, user_id, name, data)
      select message_id, user_id, name, data
      from json_to_recordset(${JSON.stringify(rows)}) as g(message_id uuid, user_id uuid, name text, data jsonb)
      on conflict (message_id, user_id) do nothing returning id
    )
    select pg_notify(${LIVE_CHANNEL}, 'kept ' || min(id) || ' ' || max(id)) from kept having count(*) > 0`.execute(db);
}

/** Notifies every replica of an event that is not stored: a resumed stream refetches that state anyway. */
export async function notifyUsers(db: Db, name: string, userIds: string[]): Promise<void> {
  const perNotice = 150;
  for (let start = 0; start < userIds.length; start += perNotice) {
    const notice = `users ${name} ${userIds.slice(start, start + perNotice).join(' ')}`;
    await sql`select pg_notify(${LIVE_CHANNEL}, ${notice})`.execute(db);
  }
}

export async function findLiveEvents(db: Db, first: bigint, last: bigint) {
  const rows = await db
    .selectFrom('live_events')
    .select(['id', 'user_id', 'name', 'data'])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ userId: row.user_id, event: { id: row.id.toString(), name: row.name, data: row.data } }));
}

/** The id of the newest event; 0 if there is none. */
export async function findNewestLiveEvent(db: Db): Promise<bigint> {
  const newest = await db
    .selectFrom('live_events')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  return newest?.id ?? 0n;
}

/** The events that a user's stream missed after a given one, oldest first. */
export async function findMissedEvents(db: Db, userId: string, afterId: string): Promise<LiveEvent[]> {
  const rows = await db
    .selectFrom('live_events')
    .select(['id', 'name', 'data'])
    .where('user_id', '=', userId)
    .where('id', '>', BigInt(afterId))
    .orderBy('id')
    .limit(REPLAY_LIMIT)
    .execute();
  return rows.map((row) => ({ id: row.id.toString(), name: row.name, data: row.data }));
}

export async function pruneLiveEvents(db: Db): Promise<void> {
  await pruneInBatches(
    db,
    (limit) => sql`
      delete from live_events where id in (
        select id from live_events where created_at < now() - make_interval(mins => ${KEPT_FOR_MINUTES})
        order by id limit ${limit})`,
  );
}
