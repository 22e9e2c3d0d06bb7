import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@vuka/embedded-postgres';
import { createTestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { type RunFile, readRunFile } from '#run-file.ts';

const START = fileURLToPath(new URL('../src/start.ts', import.meta.url));

export interface RunningProduct {
  address: string;
  run(): Promise<RunFile>;
  /** Kills one of its processes, as a crash would. */
  kill(service: string): Promise<void>;
  stop(): Promise<void>;
}

/** The whole product, as `npm start` runs it, on the tests' own Postgres and RabbitMQ, with the demo data. */
export async function startProduct(env: Record<string, string> = {}): Promise<RunningProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vuka-product-'));
  const prefix = `vt_${Math.random().toString(36).slice(2, 10)}`;
  const [{ url: serverUrl }, vhost, port] = await Promise.all([
    askForServer('postgres'),
    createTestVhost('product'),
    findFreePort(),
  ]);
  const child = spawn(process.execPath, [START], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: serverUrl,
      AMQP_URL: vhost.amqpUrl,
      VUKA_DATA_DIR: dataDir,
      VUKA_DATABASE_PREFIX: prefix,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const run = async () => {
    if (child.exitCode !== null) throw new Error(`the product ended:\n${output()}`);
    const file = await readRunFile(dataDir);
    return file?.ready ? file : undefined;
  };
  const started = await until(run, { timeoutMs: 90_000, everyMs: 100, what: 'the product is ready' }).catch(
    (error: Error) => {
      child.kill('SIGKILL');
      throw new Error(`${error.message}\n${output()}`);
    },
  );
  return {
    address: started.url,
    run: async () => (await run()) ?? started,
    async kill(service) {
      const pid = (await run())?.services[service]?.pid;
      if (!pid) throw new Error(`${service} does not run`);
      process.kill(pid, 'SIGKILL');
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await Promise.all([
        dropDatabases(serverUrl, prefix),
        vhost.drop(),
        rm(dataDir, { recursive: true, force: true }),
      ]);
    },
  };
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
