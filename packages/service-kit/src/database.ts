import { type CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from './logger.ts';

export interface DatabaseOptions {
  url: string;
  service: string;
  logger: Logger;
  poolSize?: number;
  /** How long one statement may run, ms; 0 is without end. */
  statementTimeoutMs?: number;
  /** How long one may wait for a lock, ms; as long as it may run unless told. */
  lockTimeoutMs?: number;
  /**
   * Keeps the planner to index scans: a statement prepared while its table was empty would keep a sequential scan for
   * the life of the connection. What has to look through many rows goes through `planFreely`.
   */
  indexScansOnly?: boolean;
}

export interface Database<Schema> {
  db: Kysely<Schema>;
  pool: pg.Pool;
  /** True when the server answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const INT8_OID = 20;
const LONGEST_IDLE_MS = 60_000;
const INDEX_SCANS_ONLY =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_bitmapscan=off' +
  // Whatever the values, the way to a row is the same: nothing to plan anew.
  ' -c plan_cache_mode=force_generic_plan';

/** int8 reads as bigint: a number would lose minor units above 2^53. numeric stays a string. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? (value: string) => BigInt(value)
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/** A pool and its Kysely. Nothing is connected yet: a service starts while its database is away. */
export function createDatabase<Schema>(options: DatabaseOptions): Database<Schema> {
  const { statementTimeoutMs = 10_000 } = options;
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: options.url,
    application_name: options.service,
    max: options.poolSize ?? 10,
    types: typeParsers,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs && statementTimeoutMs + 2_000,
    lock_timeout: options.lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs || LONGEST_IDLE_MS,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    // Statements that a connection is given together go out together and run one after the other.
    pipeline: true,
    options: `-c jit=off${options.indexScansOnly ? ` ${INDEX_SCANS_ONLY}` : ''}`,
  };
  const pool = new pg.Pool(config);
  const prepared: PreparedFor = { schema: 0 };
  // A client that is lent out and idle tells its loss to itself alone; unheard, that would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    prepareStatements(client, prepared);
  });
  pool.on('error', (error) => options.logger.warn({ err: error.message }, 'a database connection was lost'));
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    async ping() {
      try {
        await pool.query('select 1');
        return true;
      } catch {
        return false;
      }
    },
    close: async () => {
      if (!pool.ended) await pool.end();
    },
  };
}

/** As many statements are prepared on a connection; texts beyond them, as of lists of changing length, are not. */
const MAX_PREPARED = 100;

/** Which migrations the prepared statements of a pool know of: raised when one of them turns out to be of before. */
interface PreparedFor {
  schema: number;
}

/**
 * Has a connection prepare each statement when it first runs it. At a low load, planning a statement of many parts
 * costs several times its execution; Kysely has no names for statements, so they are named here by their order.
 *
 * A column that a migration adds changes what `select *` and `returning *` answer, which a prepared statement refuses
 * to: then every connection of the pool prepares anew, and the statement runs once more unless its transaction is lost.
 */
function prepareStatements(client: pg.PoolClient, prepared: PreparedFor): void {
  const names = new Map<string, string>();
  let { schema } = prepared;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;

  function nameOf(text: string): string | undefined {
    if (schema !== prepared.schema) names.clear();
    ({ schema } = prepared);
    if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `s${schema}_${names.size}`);
    return names.get(text);
  }

  function run(text: string, values: unknown[], done: Answered, isRepeat = false): void {
    const name = nameOf(text);
    const ranFor = schema;
    query({ ...(name && { name }), text, values }, (error: unknown, result: unknown) => {
      if (!isOutdatedPlan(error)) return done(error, result);
      if (ranFor === prepared.schema) prepared.schema += 1;
      // As it was when the statement came to its turn: what follows it in one trip is not answered yet.
      const isAlone = client.getTransactionStatus() === 'I';
      if (isAlone && !isRepeat) run(text, values, done, true);
      else done(error, result);
    });
  }

  const answer = (text: unknown, values: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query(text, values, ...rest);
    const [done] = rest as [Answered?];
    if (done) return run(text, values, done);
    return new Promise((resolve, reject) =>
      run(text, values, (error, result) => (error ? reject(error) : resolve(result))),
    ).catch((error: Error) => {
      // From where it was asked, not from the socket, as pg does for its own promises.
      Error.captureStackTrace(error);
      throw error;
    });
  };
  client.query = answer as typeof client.query;
}

type Answered = (error: unknown, result: unknown) => void;

function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  // By the routine: the message is in the language of the server.
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * Awaits queries that one connection was given together, which are one trip to the server; every one is answered before
 * the first failure is thrown. Kysely's own transactions send one statement after the other.
 */
export async function inOneTrip<T extends readonly Promise<unknown>[]>(
  queries: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(queries);
  const failure = settled.find((outcome): outcome is PromiseRejectedResult => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  return (await Promise.all(queries)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}

/** Gives a connection one of Kysely's statements; with others that are given at once, `inOneTrip` awaits it. */
export function send<Row>(
  client: pg.PoolClient,
  { sql: text, parameters }: CompiledQuery<Row>,
): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
  return client.query<Row & pg.QueryResultRow>(text, [...parameters]);
}

/**
 * Runs reads that the limits of an `indexScansOnly` pool do not fit, such as a search, with the planner as Postgres has
 * it, and a plan for their very values. In one read-only transaction.
 */
export function planFreely<Schema, Result>(
  db: Kysely<Schema>,
  read: (trx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`
        select set_config(name, setting, true) from (values
          ('enable_seqscan', 'on'), ('enable_hashjoin', 'on'), ('enable_mergejoin', 'on'), ('enable_bitmapscan', 'on'),
          ('plan_cache_mode', 'force_custom_plan')) as free(name, setting)`.execute(trx);
      return read(trx);
    });
}

/**
 * Codes under which a statement certainly failed because the server is away, starting, stopping or out of connections.
 */
const AWAY = /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;
const AWAY_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/;

/**
 * True when a failure says "the database is away", or has just been migrated, not "the statement is wrong". What was in
 * flight may have committed.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isOutdatedPlan(error)) return true;
  if ('code' in error && typeof error.code === 'string' && AWAY.test(error.code)) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
  return AWAY_MESSAGE.test(error.message);
}

/** The name of the unique constraint that a statement ran into, if that is why it failed. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined;
}
