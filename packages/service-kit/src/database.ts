import { type CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from './logger.ts';

export interface DatabaseOptions {
  url: string;
  service: string;
  logger: Logger;
  poolSize?: number;
  /** The longest time that one statement may run, ms; 0 means no limit. */
  statementTimeoutMs?: number;
  /** The longest time that a statement may wait for a lock, ms; by default the statement timeout. */
  lockTimeoutMs?: number;
  /**
   * Restricts the planner to index scans: a statement prepared while its table was empty would otherwise keep a
   * sequential scan for the life of the connection. Reads of many rows use `planFreely`.
   */
  indexScansOnly?: boolean;
}

export interface Database<Schema> {
  db: Kysely<Schema>;
  pool: pg.Pool;
  /** True if the server answers and accepts writes: a standby, or a primary that was demoted, does not. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const INT8_OID = 20;
const LONGEST_IDLE_MS = 60_000;
/**
 * `enable_material` is off because a table that was empty when the plan was made would be read whole and materialised,
 * instead of looked up by key.
 */
const INDEX_SCANS_ONLY =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_bitmapscan=off -c enable_material=off' +
  // The access path never depends on the values, so nothing is planned again.
  ' -c plan_cache_mode=force_generic_plan';

/** int8 is read as bigint: a number would lose minor units above 2^53. numeric stays a string. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? (value: string) => BigInt(value)
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly"`;

/** False on a standby, and on a primary that was demoted. Throws when the server does not answer. */
export async function acceptsWrites(client: Pick<pg.Pool | pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY);
  return rows[0]?.isReadOnly === false;
}

/** A pool and its Kysely. Connects lazily: a service starts while its database is unavailable. */
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
    // Statements given to a connection together are sent together and run in order.
    pipeline: true,
    options: `-c jit=off${options.indexScansOnly ? ` ${INDEX_SCANS_ONLY}` : ''}`,
  };
  const pool = new pg.Pool(config);
  const prepared: PreparedFor = { schema: 0 };
  // An idle client on loan reports its lost connection only on itself; without a listener that would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    prepareStatements(client, prepared);
  });
  pool.on('error', (error) => options.logger.warn({ err: error.message }, 'a database connection was lost'));
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    ping: () => acceptsWrites(pool).catch(() => false),
    close: async () => {
      if (!pool.ended) await pool.end();
    },
  };
}

/**
 * Each connection prepares this many statements; further ones, such as lists of changing length, are not prepared.
 */
const MAX_PREPARED = 100;

/** The schema version that a pool's prepared statements were made for; raised when one turns out to be outdated. */
interface PreparedFor {
  schema: number;
}

/**
 * Has a connection prepare each statement when it first runs. At low load, planning a statement of many parts costs
 * several times its execution. Kysely does not name statements, so they are named here by their order.
 *
 * A column added by a migration changes what `select *` and `returning *` answer, which a prepared statement refuses.
 * Every connection of the pool then prepares again, and the statement runs once more unless its transaction is lost.
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
      if (isReadOnly(error)) leave(client);
      if (!isOutdatedPlan(error)) return done(error, result);
      if (ranFor === prepared.schema) prepared.schema += 1;
      // Read here, when this statement is answered: later statements of the same trip are not answered yet.
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
      // Shows the caller's stack instead of the socket's, as pg does for its own promises.
      Error.captureStackTrace(error);
      throw error;
    });
  };
  client.query = answer as typeof client.query;
}

/** Ends the connection when its user returns it: after a failover, the address leads to another server. */
function leave(client: pg.PoolClient): void {
  (client as unknown as pg.Client).end().catch(() => undefined);
}

const isReadOnly = (error: unknown) => (error as { code?: unknown } | null)?.code === READ_ONLY;

type Answered = (error: unknown, result: unknown) => void;

function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  // Matched by routine: the message is in the server's language.
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * Awaits queries that were given to one connection together and make one trip to the server; every query is answered
 * before the first failure is thrown. Kysely's own transactions send one statement after the other.
 */
export async function inOneTrip<T extends readonly Promise<unknown>[]>(
  queries: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(queries);
  const failure = settled.find((outcome): outcome is PromiseRejectedResult => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  return (await Promise.all(queries)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}

/** Gives a connection one of Kysely's statements; use `inOneTrip` to await several. */
export function send<Row>(
  client: pg.PoolClient,
  { sql: text, parameters }: CompiledQuery<Row>,
): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
  return client.query<Row & pg.QueryResultRow>(text, [...parameters]);
}

/**
 * Runs reads that do not suit an `indexScansOnly` pool, such as a search, with the planner's defaults and a plan for
 * their actual values. In one read-only transaction.
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

/** The server accepts no writes: it is a standby, was demoted, or its operator said so. */
const READ_ONLY = '25006';
/**
 * The server answers, but is out of connections, memory or disk (class 53), or its disk is defective (58). 53400 is a
 * limit that an operator set for statements.
 */
const OUT_OF_RESOURCES_CODE = /^(53(?!400)|58)/;
/**
 * Codes of failures that are the server's and not the statement's: it is unreachable, starting, stopping or read-only.
 */
const UNAVAILABLE_CODE = /^(08|57P0|25006|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed/;

/**
 * True if the failure means that the database is unavailable, or has just been migrated, and not that the statement
 * is wrong. Work in flight may have committed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isOutdatedPlan(error) || isDatabaseOutOfResources(error)) return true;
  if ('code' in error && typeof error.code === 'string' && UNAVAILABLE_CODE.test(error.code)) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  return UNAVAILABLE_MESSAGE.test(error.message);
}

/** True if the database lacks disk, memory or connections. Statements that only read may still succeed. */
export function isDatabaseOutOfResources(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OUT_OF_RESOURCES_CODE.test(String(error.code));
}

/** True if the transaction was undone only because it conflicted with another: it may succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');
}

/** True if the statement failed because of its values, and would fail again: data exceptions and violated constraints. */
export function isRefusedForItsValues(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
}

/** The name of the check constraint that a statement violated, if that is why it failed. */
export function violatedCheck(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23514' && typeof constraint === 'string' ? constraint : undefined;
}

/** The name of the unique constraint that a statement violated, if that is why it failed. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined;
}
