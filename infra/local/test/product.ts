import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { createTestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { type RunFile, readRunFile } from '#run-file.ts';
import { CACHE_DIR } from '#start-settings.ts';

const START = fileURLToPath(new URL('../src/start.ts', import.meta.url));

export interface RunningProduct {
  address: string;
  /** The prefix of its database names. */
  databasePrefix: string;
  /** The directory of its secrets and its run file. */
  dataDir: string;
  run(): Promise<RunFile>;
  /** Kills one of its processes, like a crash, or sends it another signal. */
  kill(service: string, signal?: NodeJS.Signals): Promise<void>;
  /** Kills the supervisor and every process, like a power cut. */
  killAll(): Promise<void>;
  /** Starts it again after `killAll`; resolves when its processes exist, ready or not. */
  startAgain(): Promise<void>;
  untilReady(): Promise<void>;
  stop(): Promise<void>;
}

/** The servers that a product uses. */
export interface ProductServers {
  databaseUrl: string;
  amqpUrl: string;
}

/** The whole product, as `npm start` runs it, on the tests' Postgres and RabbitMQ, with the demo data. */
export async function startProduct(env: Record<string, string> = {}): Promise<RunningProduct> {
  const [{ url: databaseUrl }, vhost] = await Promise.all([askForServer('postgres'), createTestVhost('product')]);
  const product = await startProductOn({ databaseUrl, amqpUrl: vhost.amqpUrl }, env);
  return {
    ...product,
    async stop() {
      await product.stop();
      await vhost.drop();
    },
  };
}

/**
 * Like `startProduct`, on servers that the test breaks. Stopping drops the databases, so Postgres must be available
 * again by then.
 */
export async function startProductOn(
  servers: ProductServers,
  env: Record<string, string> = {},
): Promise<RunningProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vuka-product-'));
  const prefix = `vt_${Math.random().toString(36).slice(2, 10)}`;
  const port = await findFreePort();
  const settings = {
    NODE_ENV: 'development',
    DATABASE_URL: servers.databaseUrl,
    AMQP_URL: servers.amqpUrl,
    VUKA_DATA_DIR: dataDir,
    VUKA_DATABASE_PREFIX: prefix,
    PORT: String(port),
    // As in containers, so that tests can break the worker alone.
    VUKA_SEPARATE_WORKER: 'true',
    ...env,
  };
  let supervisor = startSupervisor(settings);
  const run = async () => {
    const { child, output } = supervisor;
    if (child.exitCode !== null) throw new Error(`the product ended:\n${output()}`);
    const file = await readRunFile(dataDir);
    return file?.pid === child.pid ? file : undefined;
  };
  const runNow = () => until(run, { timeoutMs: 90_000, everyMs: 100, what: 'the product starts' });
  const untilReady = async () => {
    const isReady = async () => supervisor.child.exitCode !== null || (await run())?.ready;
    await until(isReady, { timeoutMs: 90_000, everyMs: 100, what: 'the product is ready' }).catch((error: Error) => {
      supervisor.child.kill('SIGKILL');
      throw new Error(`${error.message}\n${supervisor.output()}`);
    });
    await run();
  };
  await untilReady();
  return {
    address: (await runNow()).url,
    dataDir,
    databasePrefix: prefix,
    run: runNow,
    async kill(service, signal = 'SIGKILL') {
      const pid = (await runNow()).services[service]?.pid;
      if (!pid) throw new Error(`${service} does not run`);
      process.kill(pid, signal);
    },
    async killAll() {
      const { services } = await runNow();
      const exited = once(supervisor.child, 'exit');
      supervisor.child.kill('SIGKILL');
      for (const { pid } of Object.values(services)) killProcess(pid);
      await exited;
    },
    async startAgain() {
      supervisor = startSupervisor(settings);
      await runNow();
    },
    untilReady,
    async stop() {
      const { child } = supervisor;
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await Promise.all([
        dropDatabases(servers.databaseUrl, prefix),
        rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
      ]);
    },
  };
}

/** Kills one of its processes, and waits until the supervisor has started the next one, ready or not. */
export async function killAndAwaitNext(
  product: Pick<RunningProduct, 'run' | 'kill'>,
  service: string,
  signal?: NodeJS.Signals,
): Promise<void> {
  const { pid = null } = (await product.run()).services[service] ?? {};
  await product.kill(service, signal);
  const isAnother = async () => ![pid, null].includes((await product.run()).services[service]?.pid ?? null);
  await until(isAnother, { timeoutMs: 30_000, everyMs: 50, what: `${service} is started again` });
}

function startSupervisor(settings: Record<string, string>) {
  const child = spawn(process.execPath, [START], {
    env: { ...process.env, ...settings, NODE_COMPILE_CACHE: CACHE_DIR },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, output: collect(child) };
}

function killProcess(pid: number | null): void {
  try {
    if (pid) process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it ended with the supervisor
  }
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString().slice(-4_000);
}

async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows: databases } = await client.query('select datname as name from pg_database where datname like $1', [
      `${prefix}\\_%`,
    ]);
    for (const { name } of databases) await client.query(`drop database "${name}" with (force)`);
    const { rows: roles } = await client.query('select rolname as name from pg_roles where rolname like $1', [
      `${prefix}\\_%`,
    ]);
    for (const { name } of roles) await client.query(`drop role "${name}"`);
  } finally {
    await client.end();
  }
}
