import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { type Claim, planDatabases, prepareDatabases, rolesOf } from './databases.ts';
import { type LocalPostgres, runPostgres } from './local-postgres.ts';
import { openLog, type ServiceLog } from './logs.ts';
import { migrateWallet } from './migrate-wallet.ts';
import { waitUntilReady } from './readiness.ts';
import { type RunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { buildServices } from './service-build.ts';
import { planServices, publicHostOf, type ServicePlan, serviceNames, withoutSecrets } from './services.ts';
import { type Settings, StartError } from './start-settings.ts';
import { type Supervised, supervise } from './supervised.ts';
import { buildWebApp, WEB_ROOT } from './web-build.ts';

const READY_TIMEOUT_MS = 90_000;
/** A complete stop takes less than 10 s. */
const STOP_TIMEOUTS_MS = [4_000, 2_500, 1_500];

/** All processes of a run. */
export interface Product {
  url: string;
  plans: ServicePlan[];
  secrets: Secrets;
  server: string;
  /**
   * Waits for all services; throws a StartError with the names of those that did not become ready, and their last
   * output.
   */
  becomeReady(signal: AbortSignal): Promise<void>;
  /** Marks the run as ready in `run.json`, and shows warnings from now on. */
  announce(): Promise<void>;
  stop(): Promise<void>;
}

interface Parts {
  settings: Settings;
  say: (line: string) => void;
  postgres: LocalPostgres | undefined;
  claim: Claim;
  running: Map<string, { plan: ServicePlan; service: Supervised; log: ServiceLog }>;
  run: RunFile;
  /** While others are still starting, services log expected warnings. */
  isQuiet: boolean;
}

/** Starts the databases and every service. Leaves nothing running if it throws. */
export async function startProduct(settings: Settings, say: (line: string) => void): Promise<Product> {
  const databases = planDatabases(settings.databasePrefix);
  const secrets = await loadSecrets(settings.dataDir, rolesOf(databases), settings.env, settings.isProduction);
  const services = buildServices(say);
  services.catch(() => undefined); // awaited below
  const webApp = buildWebApp(say);
  webApp.catch(() => undefined); // awaited below
  const ports = await findPorts(settings);
  const postgres = settings.databaseUrl ? undefined : await startPostgres(settings, say);
  const server = settings.databaseUrl ?? postgres?.url ?? '';
  let claim: Claim | undefined;
  try {
    claim = await prepareDatabases(server, databases, secrets.passwords, settings.databasePrefix);
    const plans = planServices({ settings, secrets, server, ports, webRoot: WEB_ROOT });
    await services;
    const walletMigrated = migrateWallet({ settings, secrets, server });
    walletMigrated.catch(() => undefined); // awaited before the wallet starts
    const parts: Parts = {
      settings,
      say,
      postgres,
      claim,
      running: new Map(),
      run: describeRun(settings, plans, server, ports['gateway metrics'] ?? 0),
      isQuiet: true,
    };
    await startServices(parts, plans, { wallet: walletMigrated, gateway: webApp });
    return productOf(parts, plans, secrets, server);
  } catch (error) {
    await claim?.release();
    await postgres?.stop();
    throw error;
  }
}

function startPostgres(settings: Settings, say: (line: string) => void): Promise<LocalPostgres> {
  const { walArchive } = settings;
  return runPostgres(join(settings.dataDir, 'postgres'), { say, walArchive }).catch((cause: Error) => {
    throw new StartError(cause.message, { cause });
  });
}

async function findPorts(settings: Settings): Promise<Record<string, number>> {
  const names = [...serviceNames(settings), 'gateway metrics'];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await findFreePort()] as const)));
}

function describeRun(settings: Settings, plans: ServicePlan[], server: string, metricsPort: number): RunFile {
  return {
    pid: process.pid,
    ready: false,
    startedAt: new Date().toISOString(),
    url: `http://${publicHostOf(settings)}`,
    metricsUrl: `http://${publicHostOf({ ...settings, port: metricsPort })}`,
    serverUrl: server,
    services: Object.fromEntries(
      plans.map(({ name, port, env }) => [name, { pid: null, port, databaseUrl: env.DATABASE_URL ?? '' }]),
    ),
  };
}

/** What must finish before a service starts: the wallet may not migrate, and the gateway looks for the web app once. */
type Needs = Partial<Record<string, Promise<void>>>;

async function startServices(parts: Parts, plans: ServicePlan[], needs: Needs): Promise<void> {
  const logs = join(parts.settings.dataDir, 'logs');
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const starts = await Promise.allSettled(
    plans.map(async (plan) => {
      await needs[plan.name];
      await startService(parts, plan, logs);
    }),
  );
  const failed = starts.find((start) => start.status === 'rejected');
  if (!failed) return;
  await stopServices(parts);
  throw failed.reason;
}

async function startService(parts: Parts, plan: ServicePlan, logs: string): Promise<void> {
  const log = await openLog(logs, plan.name, (line) => {
    if (!parts.isQuiet) parts.say(line);
  });
  const service = supervise({
    plan,
    env: withoutSecrets(parts.settings.env),
    log,
    onStart: () => void queueMicrotask(() => notePids(parts)),
    onHung: (ms) => parts.say(`[${plan.name}] has not answered for ${Math.round(ms / 1_000)} s; killing it`),
    onEnd: (how, retryInMs) => parts.say(`[${plan.name}] ${how}; starting it again in ${retryInMs} ms`),
  });
  parts.running.set(plan.name, { plan, service, log });
}

function notePids(parts: Parts): void {
  for (const [name, { service }] of parts.running) {
    const entry = parts.run.services[name];
    if (entry) entry.pid = service.pid() ?? null;
  }
  saveRun(parts).catch((error: Error) => parts.say(`run.json could not be written: ${error.message}`));
}

let saving: Promise<void> = Promise.resolve();

/** One write at a time, since they share a temporary file. */
function saveRun(parts: Parts): Promise<void> {
  saving = saving.catch(() => undefined).then(() => writeRunFile(parts.settings.dataDir, parts.run));
  return saving;
}

function productOf(parts: Parts, plans: ServicePlan[], secrets: Secrets, server: string): Product {
  return {
    url: parts.run.url,
    plans,
    secrets,
    server,
    becomeReady: (signal) => becomeReady(parts, signal),
    async announce() {
      parts.isQuiet = false;
      parts.run.ready = true;
      await saveRun(parts);
    },
    async stop() {
      parts.isQuiet = true;
      await stopServices(parts);
      await parts.claim.release();
      await parts.postgres?.stop();
      await saving.catch(() => undefined);
      await removeRunFile(parts.settings.dataDir);
    },
  };
}

async function becomeReady(parts: Parts, signal: AbortSignal): Promise<void> {
  const watched = [...parts.running.values()].map(({ plan, service }) => ({
    name: plan.name,
    url: plan.name === 'gateway' ? parts.run.url : `http://127.0.0.1:${plan.port}`,
    failures: () => service.failures(),
  }));
  const waiting = await waitUntilReady(watched, READY_TIMEOUT_MS, signal);
  if (waiting.length === 0 || signal.aborted) return;
  const said = await Promise.all(
    waiting.map(async (name) => `--- ${name}\n${(await parts.running.get(name)?.log.tail()) ?? ''}`),
  );
  throw new StartError(
    `These services did not become ready: ${waiting.join(', ')}. Their last output:\n${said.join('\n')}\n` +
      `Their logs are in ${join(parts.settings.dataDir, 'logs')}.`,
  );
}

async function stopServices(parts: Parts): Promise<void> {
  const all = [...parts.running.values()];
  for (const [index, withinMs] of STOP_TIMEOUTS_MS.entries()) {
    const phase = all.filter(({ plan }) => plan.stopsAt === index + 1);
    await Promise.all(
      phase.map(async ({ service, log }) => {
        if (!(await service.stop(withinMs))) parts.say(`[${service.name}] did not finish in time and was killed`);
        await log.close();
      }),
    );
  }
}
