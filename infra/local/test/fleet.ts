import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { planDatabases, prepareDatabases, rolesOf } from '#databases.ts';
import { seedDemoData } from '#demo-data.ts';
import { migrateWallet } from '#migrate-wallet.ts';
import { loadSecrets } from '#secrets.ts';
import { buildServices, builtScript } from '#service-build.ts';
import { planServices, type ServicePlan, withoutSecrets } from '#services.ts';
import { CACHE_DIR, ROOT, readSettings } from '#start-settings.ts';
import { heapFlags } from '#supervised.ts';
import { WEB_ROOT } from '#web-build.ts';
import { type FrontDoor, openInnerDoor, openOuterDoor } from './front-door.ts';
import type { ProductServers } from './product.ts';

/** An installation without a supervisor. Each service has one or more processes behind one address. */
export interface Fleet {
  /** The address of the gateways. */
  address: string;
  databasePrefix: string;
  /** The directory of its secrets and of its logs. */
  dataDir: string;
  simulatorPort: number;
  /** The present processes of a service. */
  processes(service: string): readonly FleetProcess[];
  /**
   * Replaces the oldest process of a service, from the checkout at `root` if given. Beside: starts the new process and,
   * once it is ready, ends the old one with SIGTERM. In place: ends the old one first, then starts the new one at its
   * address.
   */
  replace(service: string, root?: string): Promise<Replaced>;
  /** Ends every process, callers first, as an operator does before a restore. */
  endAll(): Promise<void>;
  /** Starts as many processes of each service as at first, after `endAll`. */
  startAll(): Promise<void>;
  /** Migrates the ledger with this checkout's program. */
  migrateWallet(): Promise<void>;
  stop(): Promise<void>;
}

export interface FleetProcess {
  pid: number | undefined;
  port: number;
}

export interface Replaced {
  /** The exit code of the old process. */
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
/** The name for `link` of a provider outside the fleet. */
export const PROVIDER = 'provider';
/** The names for `link` of the servers. */
const SERVERS = { postgres: 'databaseUrl', broker: 'amqpUrl' } as const;
/** The grace period of the compose file. */
const KILLED_AFTER_MS = 15_000;
const READY_MS = 90_000;
const RESTARTED_AFTER_MS = 200;

export interface FleetOptions {
  /** How long a process may take to become ready, ms; longer than any outage in which one is started. */
  readyWithinMs?: number;
  env?: Record<string, string>;
  /** Further settings of the process that gets this port. */
  envOf?: ((port: number) => Record<string, string>) | undefined;
  /** The checkout whose programs run at first. */
  root?: string;
  /** Processes of each service; one by default. */
  replicas?: number;
  /** Whether a process that ends is started again. */
  isKept?: boolean;
  /** The port through which one service reaches another service or a server; its own port by default. */
  link?: (caller: string, callee: string, port: number) => Promise<number>;
  /** The door in front of the gateways, closed with the fleet; a new one by default. */
  door?: FrontDoor;
  /** Writes accounts and rates; by default the demo data. */
  seed?: typeof seedDemoData;
  /** How processes are replaced. With `beside` each service is behind a door; with `in place` only the gateways are. */
  way?: 'beside' | 'in place';
}

interface Running {
  child: ChildProcess;
  port: number;
  isEnding: boolean;
}

export async function startFleet(servers: ProductServers, options: FleetOptions = {}): Promise<Fleet> {
  const { env = {}, root = ROOT, replicas = 1, isKept = false, link } = options;
  const { seed = seedDemoData, way = 'beside', envOf = () => ({}), readyWithinMs = READY_MS } = options;
  const dir = await mkdtemp(join(tmpdir(), 'vuka-fleet-'));
  const logs = join(dir, 'logs');
  await mkdir(logs);
  const databasePrefix = `vt_${Math.random().toString(36).slice(2, 10)}`;
  const names = env.PAWAPAY_URL ? SERVICES : [SIMULATOR, ...SERVICES];
  const doors = new Map<string, FrontDoor>([['gateway', options.door ?? (await openOuterDoor())]]);
  const addresses: Record<string, number> = {};
  for (const name of names) {
    if (way === 'beside' && !doors.has(name)) doors.set(name, await openInnerDoor());
    addresses[name] = doors.get(name)?.port ?? (await findFreePort());
  }
  const settings = readSettings({
    ...process.env,
    NODE_ENV: 'development',
    DATABASE_URL: servers.databaseUrl,
    AMQP_URL: servers.amqpUrl,
    VUKA_DATA_DIR: dir,
    VUKA_DATABASE_PREFIX: databasePrefix,
    VUKA_SEPARATE_WORKER: 'true',
    VUKA_TRUST_PROXY: 'true',
    PORT: String(addresses.gateway),
    ...env,
  });
  await buildServices(() => undefined);
  const databases = planDatabases(databasePrefix);
  const secrets = await loadSecrets(dir, rolesOf(databases), settings.env);
  const claim = await prepareDatabases(servers.databaseUrl, databases, secrets.passwords, databasePrefix);
  // The port for the gateway's metrics is set when a process starts.
  const ports = { ...addresses, 'gateway metrics': 0 };
  const plans = planServices({ settings, secrets, server: servers.databaseUrl, ports, webRoot: WEB_ROOT });
  const running = new Map<string, Running[]>(names.map((name) => [name, []]));
  const of = (name: string) => running.get(name) ?? [];

  /** Replaces the address of a server by the one that `link` gives this service; returns other values unchanged. */
  async function linkedServer(caller: string, value: string): Promise<string> {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const name = keysOf(SERVERS).find((server) => url && url.host === hostOf(servers[SERVERS[server]]));
    if (!url || !name || !link) return value;
    url.port = String(await link(caller, name, Number(url.port)));
    return url.toString();
  }

  /** Replaces the addresses of neighbours and servers by those that `link` gives this service. */
  async function linked(caller: string, own: Record<string, string>): Promise<Record<string, string>> {
    const callees = new Map(
      Object.entries(addresses).map(([name, port]) => [`http://127.0.0.1:${port}`, { name, port }]),
    );
    if (env.PAWAPAY_URL) callees.set(env.PAWAPAY_URL, { name: PROVIDER, port: Number(new URL(env.PAWAPAY_URL).port) });
    const toLink = async (value: string) => {
      const callee = callees.get(value);
      if (!callee || !link) return linkedServer(caller, value);
      return `http://127.0.0.1:${await link(caller, callee.name, callee.port)}`;
    };
    const entries = Object.entries(own).map(async ([name, value]) => [name, await toLink(value)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  async function launch(name: string, from: string, [port, metrics]: readonly [number, number]): Promise<ChildProcess> {
    const { script, env: own, isHot } = plans.find((plan) => plan.name === name) as ServicePlan;
    const neighbours = await linked(name, own);
    const log = await open(join(logs, `${name}.log`), 'a');
    const places = { PORT: String(port), ...(name === 'gateway' ? { METRICS_PORT: String(metrics) } : {}) };
    // Another release runs from its sources, which it may not have built.
    const path = from === ROOT ? builtScript(script) : join(from, relative(ROOT, script));
    const child = spawn(process.execPath, [...heapFlags({ isHot }), path], {
      cwd: from,
      env: { ...withoutSecrets(settings.env), ...neighbours, ...places, ...envOf(port), NODE_COMPILE_CACHE: CACHE_DIR },
      // The channel closes when this process ends in any way; the service then stops.
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    });
    child.on('error', () => undefined); // a broken channel comes with an exit
    await log.close();
    return child;
  }
  /** Starts a successor on the same ports when the process ends. */
  function keep(name: string, from: string, [process, at]: [Running, readonly [number, number]]): void {
    process.child.once('exit', async () => {
      await delay(RESTARTED_AFTER_MS);
      if (process.isEnding) return;
      process.child = await launch(name, from, at);
      keep(name, from, [process, at]);
      if (process.isEnding) process.child.kill('SIGKILL');
    });
  }
  async function start(name: string, from: string): Promise<void> {
    const door = doors.get(name);
    const at = [door ? await findFreePort() : (addresses[name] as number), await findFreePort()] as const;
    const [port] = at;
    const process: Running = { child: await launch(name, from, at), port, isEnding: false };
    if (isKept) keep(name, from, [process, at]);
    of(name).push(process);
    const hasEnded = () => !isKept && process.child.exitCode !== null;
    const isReady = async () => hasEnded() || (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    await until(isReady, { timeoutMs: readyWithinMs, everyMs: 50, what: `${name} to be ready` });
    if (hasEnded()) throw new Error(`${name} ended:\n${await readFile(join(logs, `${name}.log`), 'utf8')}`);
    door?.add(port);
  }
  async function end(name: string, process: Running): Promise<void> {
    const { child, port } = process;
    process.isEnding = true;
    of(name).splice(of(name).indexOf(process), 1);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    const deadline = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);
    child.kill('SIGTERM');
    doors.get(name)?.remove(port);
    await ended;
    clearTimeout(deadline);
  }

  const fleet: Fleet = {
    address: `http://127.0.0.1:${addresses.gateway}`,
    databasePrefix,
    dataDir: dir,
    simulatorPort: addresses[SIMULATOR] ?? 0,
    processes: (name) => of(name).map(({ child, port }) => ({ pid: child.pid, port })),
    async replace(name, from = ROOT) {
      const old = of(name)[0] as Running;
      const begin = () => durationOf(start(name, from));
      const finish = () => durationOf(end(name, old));
      const stoppedFirstMs = way === 'in place' ? await finish() : 0;
      const startedMs = await begin();
      const stoppedMs = way === 'beside' ? await finish() : stoppedFirstMs;
      return { exitCode: old.child.exitCode, startedMs, stoppedMs };
    },
    migrateWallet: () => migrateWallet({ settings, secrets, server: servers.databaseUrl }),
    async endAll() {
      for (const name of [...SERVICES.toReversed(), SIMULATOR]) {
        await Promise.all([...of(name)].map((last) => end(name, last)));
      }
    },
    async startAll() {
      const all = Array.from({ length: replicas }, () => names).flat();
      await Promise.all(all.map((name) => start(name, root)));
    },
    async stop() {
      await fleet.endAll();
      for (const door of doors.values()) door.close();
      await claim.release();
      await dropDatabases(servers.databaseUrl, databasePrefix);
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await fleet.migrateWallet();
    await fleet.startAll();
    const product = { url: fleet.address, plans, secrets, server: servers.databaseUrl };
    await seed(product as Parameters<typeof seed>[0], settings);
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}

const keysOf = <Key extends string>(record: Record<Key, unknown>) => Object.keys(record) as Key[];
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : undefined);

async function durationOf(work: Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work;
  return performance.now() - beganMs;
}

async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  const databases = planDatabases(prefix);
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  for (const { name } of databases) await client.query(`drop database if exists ${name} with (force)`);
  for (const role of rolesOf(databases)) await client.query(`drop role if exists ${role}`);
  await client.end();
}
