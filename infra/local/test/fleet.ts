import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { planDatabases, prepareDatabases, rolesOf } from '#databases.ts';
import { seedDemoData } from '#demo-data.ts';
import { migrateWallet } from '#migrate-wallet.ts';
import { loadSecrets } from '#secrets.ts';
import { planServices, type ServicePlan, withoutSecrets } from '#services.ts';
import { CACHE_DIR, ROOT, readSettings } from '#start-settings.ts';
import { WEB_ROOT } from '#web-build.ts';
import { type FrontDoor, openInnerDoor, openOuterDoor } from './front-door.ts';
import type { ProductServers } from './product.ts';

/** An installation whose processes are replaced one by one, each behind an address of its service, without a supervisor. */
export interface Fleet {
  /** The address of the gateways. */
  address: string;
  databasePrefix: string;
  simulatorPort: number;
  /**
   * Replaces the process of a service, with that of another checkout if one is named: starts the new one beside it, and when
   * that is ready ends the old one with SIGTERM.
   */
  replace(service: string, root?: string): Promise<Replaced>;
  /** Migrates the ledger with this checkout's program. */
  migrateWallet(): Promise<void>;
  stop(): Promise<void>;
}

export interface Replaced {
  /** Of the old process. */
  exitCode: number | null;
  /** From the start of the new process to `/health/ready`, ms. */
  startedMs: number;
  /** From SIGTERM to the end of the old process, ms. */
  stoppedMs: number;
}

/** The order of the runbook, since a caller must not be newer than what it calls. */
export const SERVICES = [
  'wallet',
  'identity',
  'rates',
  'integration-log',
  'transfers',
  'transfers-worker',
  'admin',
  'gateway',
];
const SIMULATOR = 'payout-simulator';
/** The grace period of the compose file. */
const KILLED_AFTER_MS = 15_000;
const READY_MS = 90_000;

export interface FleetOptions {
  env?: Record<string, string>;
  /** The checkout whose programs run at first. */
  root?: string;
  /** Writes accounts and rates; by default the demo data. */
  seed?: typeof seedDemoData;
}

interface Running {
  child: ChildProcess;
  port: number;
}

export async function startFleet(servers: ProductServers, options: FleetOptions = {}): Promise<Fleet> {
  const { env = {}, root = ROOT, seed = seedDemoData } = options;
  const dir = await mkdtemp(join(tmpdir(), 'vuka-fleet-'));
  const databasePrefix = `vt_${Math.random().toString(36).slice(2, 10)}`;
  const doors = new Map<string, FrontDoor>([['gateway', await openOuterDoor()]]);
  for (const name of [SIMULATOR, ...SERVICES]) if (!doors.has(name)) doors.set(name, await openInnerDoor());
  const doorOf = (name: string) => doors.get(name) as FrontDoor;
  const settings = readSettings({
    ...process.env,
    NODE_ENV: 'development',
    DATABASE_URL: servers.databaseUrl,
    AMQP_URL: servers.amqpUrl,
    VUKA_DATA_DIR: dir,
    VUKA_DATABASE_PREFIX: databasePrefix,
    VUKA_TRUST_PROXY: 'true',
    PORT: String(doorOf('gateway').port),
    ...env,
  });
  const databases = planDatabases(databasePrefix);
  const secrets = await loadSecrets(dir, rolesOf(databases), settings.env);
  const claim = await prepareDatabases(servers.databaseUrl, databases, secrets.passwords, databasePrefix);
  // Everyone knows the doors; the gateway's second port is set when a process starts.
  const ports = { ...Object.fromEntries([...doors].map(([name, { port }]) => [name, port])), 'gateway metrics': 0 };
  const plans = planServices({ settings, secrets, server: servers.databaseUrl, ports, webRoot: WEB_ROOT });
  const running = new Map<string, Running>();

  async function start(name: string, from: string): Promise<Running> {
    const { script, env: own } = plans.find((plan) => plan.name === name) as ServicePlan;
    const [port, metrics] = await Promise.all([findFreePort(), findFreePort()]);
    const file = join(dir, `${name}.log`);
    const log = await open(file, 'a');
    const places = { PORT: String(port), ...(name === 'gateway' ? { METRICS_PORT: String(metrics) } : {}) };
    const child = spawn(process.execPath, [join(from, relative(ROOT, script))], {
      cwd: from,
      env: { ...withoutSecrets(settings.env), ...own, ...places, NODE_COMPILE_CACHE: CACHE_DIR },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    const isReady = async () => child.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    await until(isReady, { timeoutMs: READY_MS, everyMs: 50, what: `${name} to be ready` });
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${await readFile(file, 'utf8')}`);
    doorOf(name).add(port);
    running.set(name, { child, port });
    return { child, port };
  }
  async function end(name: string, { child, port }: Running): Promise<number | null> {
    if (child.exitCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    const deadline = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);
    child.kill('SIGTERM');
    doorOf(name).remove(port);
    const [code] = (await ended) as [number | null];
    clearTimeout(deadline);
    return code;
  }

  const fleet: Fleet = {
    address: `http://127.0.0.1:${doorOf('gateway').port}`,
    databasePrefix,
    simulatorPort: doorOf(SIMULATOR).port,
    async replace(name, from = ROOT) {
      const old = running.get(name) as Running;
      const beganMs = performance.now();
      await start(name, from);
      const readyMs = performance.now();
      const exitCode = await end(name, old);
      return { exitCode, startedMs: readyMs - beganMs, stoppedMs: performance.now() - readyMs };
    },
    migrateWallet: () => migrateWallet({ settings, secrets, server: servers.databaseUrl }),
    async stop() {
      for (const name of [...[...SERVICES].reverse(), SIMULATOR]) {
        const last = running.get(name);
        if (last) await end(name, last);
      }
      for (const door of doors.values()) door.close();
      await claim.release();
      await dropDatabases(servers.databaseUrl, databasePrefix);
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await fleet.migrateWallet();
    await Promise.all([SIMULATOR, ...SERVICES].map((name) => start(name, root)));
    const product = { url: fleet.address, plans, secrets, server: servers.databaseUrl };
    await seed(product as Parameters<typeof seed>[0], settings);
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}

async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  const databases = planDatabases(prefix);
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  for (const { name } of databases) await client.query(`drop database if exists ${name} with (force)`);
  for (const role of rolesOf(databases)) await client.query(`drop role if exists ${role}`);
  await client.end();
}
