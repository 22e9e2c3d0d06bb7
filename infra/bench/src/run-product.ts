import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findDataBase } from '@vuka/embedded-postgres';
import { findFreePort } from '@vuka/embedded-postgres/free-port';

/** The checkout that this file belongs to. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const READY_DEADLINE_MS = 90_000;

export interface ProductRun {
  url: string;
  databaseUrlOf(service: string): string;
  /** Process ids by service name. */
  servicePids: Record<string, number>;
  /** From the start of the supervisor until every service answered, ms. */
  readyMs: number;
  /** The supervisor and all its descendants. */
  pid: number;
  stop(): Promise<void>;
}

/** A directory for the data of runs; `remove` deletes it. */
export async function makeDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'vuka-bench-run-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Starts the product of a checkout, by default this one, as `npm start` does, and waits until it is ready. */
export async function runProduct(dataDir: string, env: Record<string, string>, root = ROOT): Promise<ProductRun> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(root, 'infra/local/src/start.ts')], {
    env: { ...baseEnv(), VUKA_DATA_DIR: dataDir, PORT: String(await findFreePort()), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = join(dataDir, 'run.json');
  for (;;) {
    const run = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
    if (run?.ready && run.pid === child.pid) {
      return {
        url: run.url,
        databaseUrlOf: (service) => run.services[service].databaseUrl,
        servicePids: Object.fromEntries(
          Object.entries<{ pid: number | null }>(run.services).map(([name, { pid }]) => [name, pid ?? 0]),
        ),
        readyMs: Math.round(performance.now() - startedMs),
        pid: run.pid,
        async stop() {
          child.kill('SIGTERM');
          await once(child, 'exit');
        },
      };
    }
    if (child.exitCode !== null) throw new Error('the product ended before it was ready');
    if (performance.now() - startedMs > READY_DEADLINE_MS) throw new Error('the product did not become ready');
    await delay(50);
  }
}

/** The environment without settings that would point the product to other servers. */
function baseEnv(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, AMQP_URL: _amqp, NODE_ENV: _mode, ...rest } = process.env;
  return rest;
}

/**
 * Memory of an embedded run, MB: the supervisor, the services, and Postgres, which is a child of neither. Proportional
 * (PSS) if the system reports it, since the processes of Postgres share much memory.
 */
export async function memoryOf(
  { pid }: Pick<ProductRun, 'pid'>,
  dataDir: string,
): Promise<{ processes: number; pssMb: number; rssMb: number } | null> {
  try {
    const cluster = join(await findDataBase(join(dataDir, 'postgres')), 'cluster');
    const postmaster = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    const pids = [pid, postmaster].flatMap((each) => [each, ...descendantsOf(each)]);
    const sumOf = (field: string) =>
      pids.reduce((sum, each) => {
        const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
          readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'),
        );
        return sum + Number(match?.[1] ?? 0);
      }, 0);
    return { processes: pids.length, pssMb: Math.round(sumOf('Pss') / 1_024), rssMb: Math.round(sumOf('Rss') / 1_024) };
  } catch {
    return null;
  }
}

function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
