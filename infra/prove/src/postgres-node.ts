import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DataPlace,
  type EmbeddedPostgres,
  prepareDataPlace,
  startEmbeddedPostgres,
} from '@vuka/embedded-postgres';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { createFaultyDisk, type FaultyDisk } from './faulty-disk.ts';
import { createPostgresProcess } from './postgres-process.ts';

/** One Postgres server with fsync on, without a proxy. Not started yet. */
export interface PostgresNode {
  place: DataPlace;
  /** The directory of its cluster. */
  cluster: string;
  /** Undefined unless the caller requested it and this machine can compile it. */
  disk: FaultyDisk | undefined;
  /** Starts or restarts the server, with the previous settings by default. A restart keeps the port. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Throws before the first start. */
  url(): string;
  port(): number;
  /** SIGKILL to all its processes. */
  kill(): Promise<void>;
  /** Lets it write and send everything first. */
  shutDown(): Promise<void>;
  /**
   * Resolves when the server answers again. If its disk fails during recovery, Postgres ends or (version 18) hangs;
   * then this restarts it, as an operator would.
   */
  recover(): Promise<void>;
  /** Ends it and deletes its files. */
  remove(): Promise<void>;
}

/** Longer than a recovery takes, ms. */
const HANGS_AFTER_MS = 10_000;

export async function preparePostgresNode({ onFaultyDisk = false } = {}): Promise<PostgresNode> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-prove-'));
  // The account that runs the server needs access.
  await chmod(dir, 0o755);
  const dataDir = join(dir, 'postgres');
  const place = await prepareDataPlace(dataDir);
  const disk = onFaultyDisk ? await createFaultyDisk(place) : undefined;
  const cluster = join(place.base, 'cluster');
  const { kill, isRunning } = createPostgresProcess(cluster);
  const environment = disk && { env: { ...process.env, ...disk.env } };
  let server: EmbeddedPostgres | undefined;
  let settings: Readonly<Record<string, string>> = {};
  const started = () => {
    if (!server) throw new Error('this Postgres was not started');
    return server;
  };
  const start = async (given = settings) => {
    settings = given;
    await server?.stop().catch(() => undefined);
    const port = server && { port: server.port };
    server = await startEmbeddedPostgres({ dataDir, settings, ...port, ...environment });
  };
  return {
    place,
    cluster,
    disk,
    start,
    url: () => started().url,
    port: () => started().port,
    kill,
    shutDown: () => started().stop(),
    async recover() {
      const answers = async () => {
        if (!(await isRunning())) await start();
        return isAnswering(started().url);
      };
      await until(answers, { timeoutMs: HANGS_AFTER_MS, everyMs: 50 }).catch(async () => {
        await kill();
        await start();
      });
    },
    async remove() {
      await server?.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function isAnswering(url: string): Promise<boolean> {
  await query(url, 'select 1');
  return true;
}

/** One statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the statement fails too
  await client.connect();
  const { rows } = await client.query<Row>(text, values).finally(() => client.end().catch(() => undefined));
  return rows;
}

/** The `id` of each row of one statement. */
export async function queryIds(url: string, text: string, values?: unknown[]): Promise<string[]> {
  return (await query<{ id: string }>(url, text, values)).map(({ id }) => id);
}

/**
 * For a statement that a fault may interrupt: the value to go on with. Throws if the statement itself is wrong, such as
 * one that names a column that no longer exists (SQLSTATE class 42): it would never succeed, and hide what it should do.
 */
export function orUnavailable<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if ((error as { code?: string }).code?.startsWith('42')) throw error;
    return value;
  };
}
