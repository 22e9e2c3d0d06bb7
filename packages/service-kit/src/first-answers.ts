import { createHash } from 'node:crypto';
import { type Generated, type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { AppError } from './app-error.ts';
import { isDatabaseUnavailable } from './database.ts';
import type { Logger } from './logger.ts';
import { type Part, pollingPart } from './poll.ts';
import { pruneInBatches } from './prune.ts';

/** The answer to the first request under each idempotency key. A key belongs to one user and one operation. */
export interface FirstAnswersTable {
  user_id: string;
  operation: string;
  key: string;
  content_hash: Buffer;
  answer: unknown;
  answered_at: Generated<Date>;
}

/** A schema with first answers. */
export interface FirstAnswersSchema {
  first_answers: FirstAnswersTable;
}

/** A client repeats a request within minutes; a day is what other payment APIs keep (docs.stripe.com/api/idempotent_requests). */
const KEPT_HOURS = 24;
const PRUNE_EVERY_MS = 3_600_000;

/** Creates the table; a service that answers repeats from it includes it in its migrations. */
export const firstAnswersMigration = {
  async up<Schema>(db: Kysely<Schema>): Promise<void> {
    await sql`
      create table first_answers (
        user_id uuid not null,
        operation text not null,
        key text not null,
        content_hash bytea not null,
        answer jsonb not null,
        answered_at timestamptz not null default now(),
        primary key (user_id, operation, key)
      )`.execute(db);
    await sql`create index first_answers_answered_at on first_answers using brin (answered_at)`.execute(db);
  },
  async down<Schema>(db: Kysely<Schema>): Promise<void> {
    await sql`drop table first_answers`.execute(db);
  },
};

export interface KeyedRequest {
  userId: string;
  operation: string;
  /** Undefined when the client sent none: each request then stands for itself. */
  key: string | undefined;
  /** What the request asks for, without secrets. */
  content: unknown;
}

/** Stores the answer: in the transaction that made what it names, so that both are there or neither is. */
export type KeepAnswer<Schema, Answer> = (trx: Kysely<Schema>, answer: Answer) => Promise<void>;

/**
 * Makes something once per key: `make` runs for the first request and keeps its answer with `keep`; a repeat gets that
 * answer for 24 hours, also one that runs at the same time. The answer is stored, so it must not contain a secret.
 * Throws idempotency_conflict if the first request asked for something else, and whatever `make` throws.
 */
export async function answerOnce<Schema extends FirstAnswersSchema, Answer>(
  db: Kysely<Schema>,
  request: KeyedRequest,
  make: (keep: KeepAnswer<Schema, Answer>) => Promise<Answer>,
): Promise<Answer> {
  const { key } = request;
  if (key === undefined) return make(async () => undefined);
  const keyed = { ...request, key, hash: hashOf(request.content) };
  const first = await findFirst<Answer>(db, keyed);
  if (first) return first.answer;
  try {
    return await make((trx, answer) => keepFirst(trx, keyed, answer));
  } catch (error) {
    // Looking the answer up would only wait a second time for an unavailable database.
    if (isDatabaseUnavailable(error)) throw error;
    // A concurrent repeat was faster: this one violated the table's key, or found the work already done.
    const faster = await findFirst<Answer>(db, keyed);
    if (faster) return faster.answer;
    throw error;
  }
}

interface HashedRequest extends KeyedRequest {
  key: string;
  hash: Buffer;
}

function hashOf(content: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

async function findFirst<Answer>(
  db: QueryExecutorProvider,
  { userId, operation, key, hash }: HashedRequest,
): Promise<{ answer: Answer } | undefined> {
  const { rows } = await sql<{ content_hash: Buffer; answer: Answer }>`
    select content_hash, answer from first_answers
    where user_id = ${userId} and operation = ${operation} and key = ${key}
      and answered_at > now() - make_interval(hours => ${KEPT_HOURS})`.execute(db);
  const [first] = rows;
  if (first && !first.content_hash.equals(hash)) throw new AppError('key_reused');
  return first;
}

async function keepFirst(
  trx: QueryExecutorProvider,
  { userId, operation, key, hash }: HashedRequest,
  answer: unknown,
): Promise<void> {
  await sql`delete from first_answers where user_id = ${userId} and operation = ${operation} and key = ${key}
    and answered_at <= now() - make_interval(hours => ${KEPT_HOURS})`.execute(trx);
  await sql`
    insert into first_answers (user_id, operation, key, content_hash, answer)
    values (${userId}, ${operation}, ${key}, ${hash}, ${JSON.stringify(answer)}::jsonb)`.execute(trx);
}

/** Deletes answers that are older than 24 hours, hourly. */
export function firstAnswersPruning<Schema extends FirstAnswersSchema>({
  db,
  logger,
}: {
  db: Kysely<Schema>;
  logger: Logger;
}): Part {
  const run = async () => void (await pruneFirstAnswers(db));
  return pollingPart({ name: 'pruning of first answers', everyMs: PRUNE_EVERY_MS, logger, run });
}

/** Deletes answers that are older than 24 hours; returns how many. */
export function pruneFirstAnswers<Schema extends FirstAnswersSchema>(db: Kysely<Schema>): Promise<number> {
  return pruneInBatches(
    db,
    (limit) => sql`
      delete from first_answers where ctid = any(array(
        select ctid from first_answers where answered_at <= now() - make_interval(hours => ${KEPT_HOURS}) limit ${limit}))`,
  );
}
