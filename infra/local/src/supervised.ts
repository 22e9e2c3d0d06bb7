import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServiceLog } from './logs.ts';
import { builtScript } from './service-build.ts';
import type { ServicePlan } from './services.ts';
import { CACHE_DIR, ROOT } from './start-settings.ts';

/** A service that is restarted whenever it ends unexpectedly. */
export interface Supervised {
  name: string;
  pid(): number | undefined;
  /** How often the service ended unexpectedly. */
  failures(): number;
  /** Sends SIGTERM, and SIGKILL after `withinMs`. Returns whether the service ended without SIGKILL. */
  stop(withinMs: number): Promise<boolean>;
}

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;
/** A service that ran this long had started well: the backoff begins anew when it ends. */
const STEADY_MS = 5_000;

export interface SuperviseOptions {
  plan: ServicePlan;
  env: NodeJS.ProcessEnv;
  log: ServiceLog;
  onStart: () => void;
  onEnd: (how: string, retryInMs: number) => void;
  /** Called before a hung process is killed, with the time since its last answer, ms. */
  onHung: (silentMs: number) => void;
  /** A process that has answered before is restarted after being silent for this long, ms. */
  hungAfterMs?: number;
}

/** Longer than any pause of a busy machine, and than the ten-second suspensions in the fault tests. */
const HUNG_AFTER_MS = 60_000;
/** The number of checks within that time: one missed answer is not enough. */
const LOOKS = 6;

/** Starts a service and keeps it running. */
export function supervise(options: SuperviseOptions): Supervised {
  const { plan } = options;
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let failures = 0;
  let backoffMs = FIRST_BACKOFF_MS;

  function start() {
    const startedAt = Date.now();
    const running = spawnService(options);
    child = running;
    const stopWatching = watch(running, options);
    running.once('exit', (code, signal) => {
      child = undefined;
      stopWatching();
      if (isStopping) return;
      failures += 1;
      if (Date.now() - startedAt > STEADY_MS) backoffMs = FIRST_BACKOFF_MS;
      options.onEnd(signal ? `was ended by ${signal}` : `ended with exit code ${code}`, backoffMs);
      timer = setTimeout(start, backoffMs);
      backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
    });
    running.on('error', () => undefined); // a broken channel comes with an exit
    options.onStart();
  }
  start();

  return {
    name: plan.name,
    pid: () => child?.pid,
    failures: () => failures,
    async stop(withinMs) {
      isStopping = true;
      clearTimeout(timer);
      const running = child;
      if (!running) return true;
      const ended = once(running, 'exit');
      const deadline = setTimeout(() => running.kill('SIGKILL'), withinMs);
      running.kill('SIGTERM');
      const [, signal] = await ended;
      clearTimeout(deadline);
      return signal !== 'SIGKILL';
    },
  };
}

/** Kills a process that lives and no longer answers: stopped, or in an endless loop. */
function watch(running: ChildProcess, { plan, onHung, hungAfterMs = HUNG_AFTER_MS }: SuperviseOptions): () => void {
  const everyMs = hungAfterMs / LOOKS;
  let answeredAtMs: number | undefined;
  const timer = setInterval(async () => {
    if (await answers(`http://127.0.0.1:${plan.port}`, everyMs)) answeredAtMs = performance.now();
    const silentMs = answeredAtMs === undefined ? 0 : performance.now() - answeredAtMs;
    if (silentMs < hungAfterMs || running.exitCode !== null || running.signalCode !== null) return;
    answeredAtMs = undefined;
    onHung(silentMs);
    running.kill('SIGKILL');
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function answers(address: string, withinMs: number): Promise<boolean> {
  try {
    const response = await fetch(`${address}/health/live`, { signal: AbortSignal.timeout(withinMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Makes glibc return freed memory to the system (mallopt(3)). By default each thread that hashed a PIN kept its 19 MiB,
 * and each process a few MB for every thread.
 */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '131072' };

function spawnService({ plan, env, log }: SuperviseOptions): ChildProcess {
  return spawn(process.execPath, [...heapFlags(plan), builtScript(plan.script)], {
    cwd: ROOT,
    env: { ...MALLOC, ...env, ...plan.env, NODE_COMPILE_CACHE: CACHE_DIR },
    // The channel closes when this process ends in any way; the service then stops.
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
    // In a separate process group, so that Ctrl-C reaches only the supervisor and services stop in order.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** The flags of Node for a service: how much memory it gets. */
export function heapFlags({ isHot }: Pick<ServicePlan, 'isHot'>): string[] {
  const [oldMb, youngMb] = isHot ? [512, 64] : [256, 16];
  return [`--max-old-space-size=${oldMb}`, `--max-semi-space-size=${youngMb}`];
}
