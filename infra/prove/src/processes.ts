import { setTimeout as delay } from 'node:timers/promises';
import type { FleetProcess } from '@vuka/local/testing/fleet';
import { until } from '@vuka/test-kit/until';
import type { Inject, Installation } from './installation.ts';
import { lengthOf } from './random.ts';

export const SIMULATOR = 'payout-simulator';
/** Every kind of process that can be killed. */
export const PROCESSES = [
  'gateway',
  'identity',
  'wallet',
  'transfers',
  'transfers-worker',
  'rates',
  'admin',
  'integration-log',
  SIMULATOR,
] as const;

function processesOf({ fleet, provider }: Installation, service: string): readonly FleetProcess[] {
  return service === SIMULATOR ? [{ pid: provider.pid(), port: provider.port }] : fleet.processes(service);
}

/** One of a service's processes. */
export function pickProcess(installation: Installation, service: string, draw: number): FleetProcess {
  const all = processesOf(installation, service);
  const found = all[Math.floor(draw * all.length)];
  if (!found) throw new Error(`${service} does not run`);
  return found;
}

export function signal({ pid }: FleetProcess, name: NodeJS.Signals): void {
  if (pid === undefined) throw new Error('a process that should run does not');
  process.kill(pid, name);
}

/** Waits until every process of these services is ready; returns how long that took, ms. */
export async function untilReady(installation: Installation, services: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const { patienceMs: timeoutMs } = installation;
  const isReady = async (port: number) =>
    (await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  for (const service of services) {
    // Looked up each time: meanwhile a process may be replaced by one on another port.
    const areReady = async () =>
      (await Promise.all(processesOf(installation, service).map(({ port }) => isReady(port)))).every(Boolean);
    await until(areReady, { timeoutMs, everyMs: 50, what: `${service} to be ready` });
  }
  return performance.now() - startedMs;
}

/** Waits until a new, ready process uses the port of one that ended; returns how long that took, ms. */
export async function untilReplaced(
  installation: Installation,
  service: string,
  { pid, port }: FleetProcess,
): Promise<number> {
  const startedMs = performance.now();
  const isAnother = () => {
    const now = processesOf(installation, service).find((process) => process.port === port)?.pid;
    return now !== undefined && now !== pid;
  };
  const { patienceMs: timeoutMs } = installation;
  await until(isAnother, { timeoutMs, everyMs: 50, what: `${service} to be started again` });
  await untilReady(installation, [service]);
  return performance.now() - startedMs;
}

function kill(installation: Installation, service: string, killed: FleetProcess): Promise<number> {
  signal(killed, 'SIGKILL');
  return untilReplaced(installation, service, killed);
}

export function killProcess(service: string): Inject {
  return (installation, draw) => kill(installation, service, pickProcess(installation, service, draw));
}

/**
 * Work piles up in one process while a service that it calls is paused; then the process is killed with that work
 * unfinished.
 */
export function killInTheMiddle(service: string, whatItAsks: string): Inject {
  return async (installation, draw) => {
    const asked = processesOf(installation, whatItAsks);
    for (const process of asked) signal(process, 'SIGSTOP');
    await delay(lengthOf(draw, 700, 2_000));
    const killed = kill(installation, service, pickProcess(installation, service, draw));
    for (const process of asked) signal(process, 'SIGCONT');
    return killed;
  };
}

export function pauseProcess(service: string): Inject {
  return async (installation, draw) => {
    const paused = pickProcess(installation, service, draw);
    signal(paused, 'SIGSTOP');
    // Mostly short; sometimes longer than any deadline.
    await delay(lengthOf(draw ** 3, 300, 12_000));
    signal(paused, 'SIGCONT');
    return null;
  };
}

/** Longer than the proof's grace time, after which a payout that the provider does not know is sent again. */
const PAST_GRACE_MS = 4_000;

/** Suspends a process that waits for answers, so that it reads them only after their deadline. */
export function pauseInTheMiddle(service: string, whatItAsks: string): Inject {
  return async (installation, draw) => {
    const asked = processesOf(installation, whatItAsks);
    for (const process of asked) signal(process, 'SIGSTOP');
    await delay(lengthOf(draw, 200, 1_000));
    const paused = pickProcess(installation, service, draw);
    signal(paused, 'SIGSTOP');
    for (const process of asked) signal(process, 'SIGCONT');
    await delay(lengthOf(draw, PAST_GRACE_MS, 12_000));
    signal(paused, 'SIGCONT');
    return null;
  };
}

/** Replaces each process of these services by a new one, from the checkout at `root` if given, as an upgrade does. */
export function replaceProcesses(services: readonly string[], root?: string): Inject {
  return async ({ fleet }) => {
    for (const service of services) {
      for (const _ of fleet.processes(service).slice()) await fleet.replace(service, root);
    }
    return null;
  };
}
