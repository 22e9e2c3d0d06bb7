import { type Kysely, sql } from 'kysely';
import { type OutboxMessage, readMessages } from '#outbox.ts';

/** A pack that one relay has reserved for itself. */
export interface ClaimedPack {
  id: string;
  messages: Required<OutboxMessage>[];
  attempts: number;
}

/** The result of publishing a pack from memory. */
export interface Mark {
  packId: string;
  isConfirmed: boolean;
}

/** A pack of which at least one message was not confirmed. */
export interface Failure {
  id: string;
  error: string;
  delayMs: number;
  /** The messages that were not confirmed; the others are not sent again. */
  unsent: string;
}

const RETENTION_DAYS = 7;
const PRUNE_BATCH = 1000;
const NO_ID_YET = '9223372036854775807';

/** Reserves the oldest packs that are due, for `leaseMs`. */
export async function claimBatch<Schema>(
  db: Kysely<Schema>,
  batchSize: number,
  leaseMs: number,
): Promise<ClaimedPack[]> {
  const { rows } = await sql<{ id: string; messages: string; attempts: number }>`
    update outbox
    set claimed_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}), attempts = attempts + 1
    where id = any(array(
      select id from outbox
      where published_at is null
        and (claimed_until is null or claimed_until < clock_timestamp())
        and (next_attempt_at is null or next_attempt_at <= clock_timestamp())
      order by id limit ${batchSize}
      for update skip locked))
    returning id::text, coalesce(unsent, messages) as messages, attempts`.execute(db);
  const inOrder = rows.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  return inOrder.map((row) => ({ ...row, messages: readMessages(row.messages) }));
}

export async function markPublished<Schema>(db: Kysely<Schema>, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update outbox
    set published_at = clock_timestamp(), claimed_until = null, next_attempt_at = null, last_error = null, unsent = null
    where id = any(${ids}::bigint[]) and published_at is null`.execute(db);
}

/** If the process dies before its mark, the pack is published again when its claim has expired. */
export async function markFromMemory<Schema>(db: Kysely<Schema>, marks: Mark[]): Promise<undefined[]> {
  const idsWhere = (isConfirmed: boolean) =>
    marks.filter((mark) => mark.isConfirmed === isConfirmed).map(({ packId }) => packId);
  const [confirmed, refused] = [idsWhere(true), idsWhere(false)];
  if (confirmed.length > 0) {
    await sql`
      update outbox
      set published_at = clock_timestamp(), claimed_until = null, attempts = attempts + 1, unsent = null
      where pack_id = any(${confirmed}::uuid[]) and published_at is null`.execute(db);
  }
  // `drain` then publishes them, with its backoff and its warnings.
  if (refused.length > 0) {
    await sql`update outbox set claimed_until = null where pack_id = any(${refused}::uuid[])`.execute(db);
  }
  return marks.map(() => undefined);
}

export async function recordFailures<Schema>(db: Kysely<Schema>, failures: Failure[]): Promise<void> {
  if (failures.length === 0) return;
  await sql`
    update outbox
    set last_error = failure.error, unsent = failure.unsent, claimed_until = null,
      next_attempt_at = clock_timestamp() + make_interval(secs => failure."delayMs" / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(failures)}::jsonb)
      as failure(id bigint, error text, "delayMs" integer, unsent text)
    where outbox.id = failure.id and published_at is null`.execute(db);
}

export async function findOldestPendingMs<Schema>(db: Kysely<Schema>): Promise<number> {
  const oldest = await sql<{ age_ms: number }>`
    select (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms
    from outbox where published_at is null order by id limit 1`.execute(db);
  return Math.max(0, oldest.rows[0]?.age_ms ?? 0);
}

/**
 * Scans the old rows in the order of their ids, and skips those that are unpublished or were published late. An index
 * on the time of publishing would also work, but would cost every publish an index entry.
 */
export async function prunePublished<Schema>(db: Kysely<Schema>): Promise<number> {
  const kept = sql`now() - make_interval(days => ${RETENTION_DAYS})`;
  const { rows: young } = await sql<{ id: string }>`
    select id::text from outbox where created_at >= ${kept} order by outbox.id limit 1`.execute(db);
  const end = young[0]?.id ?? NO_ID_YET;
  let pruned = 0;
  for (let after = '0'; ; ) {
    const { rows } = await sql<{ count: number; last: string }>`
      with pruned as (
        delete from outbox where id = any(array(
          select id from outbox
          where id > ${after}::bigint and id < ${end}::bigint and published_at < ${kept}
          order by id limit ${PRUNE_BATCH}))
        returning id)
      select count(*)::int as count, max(id)::text as last from pruned`.execute(db);
    const { count = 0, last = '0' } = rows[0] ?? {};
    pruned += count;
    if (count < PRUNE_BATCH) return pruned;
    after = last;
  }
}
