import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServiceLog } from './logs.ts';
import type { ServicePlan } from './services.ts';
import { CACHE_DIR, ROOT } from './start-settings.ts';

/** A service that is restarted whenever it ends unexpectedly. */
export interface Supervised {
  name: string;
  pid(): number | undefined;
  /** How often it ended unexpectedly. */
  failures(): number;
  /** Asks it to finish, and kills it after `withinMs`. Returns whether it finished on its own. */
  stop(withinMs: number): Promise<boolean>;
}

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;
/** After running this long it had started well: its end is unrelated to earlier ends. */
const STEADY_MS = 5_000;

export interface SuperviseOptions {
  plan: ServicePlan;
  env: NodeJS.ProcessEnv;
  log: ServiceLog;
  onStart: () => void;
  onEnd: (how: string, retryInMs: number) => void;
  /** Called before a process is killed that has not answered for so long, ms. */
  onHung: (silentMs: number) => void;
  /** After which silence a process that has answered before is killed, and so started again, ms. */
  hungAfterMs?: number;
}

/** Longer than any pause that a busy machine causes; a stop of ten seconds in the tests of faults is none. */
const HUNG_AFTER_MS = 60_000;
/** Of the silence, for one look: it takes several without an answer. */
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
 * glibc (mallopt(3)): freed memory is returned to the system. By default each thread that hashed a PIN kept its 19 MiB, and each
 * process a few MB for every thread.
 */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '131072' };

function spawnService({ plan, env, log }: SuperviseOptions): ChildProcess {
  return spawn(process.execPath, [...heapFlags(plan), plan.script], {
    cwd: ROOT,
    env: { ...MALLOC, ...env, ...plan.env, NODE_COMPILE_CACHE: CACHE_DIR },
    // Its end of the channel closes when this process ends in any way, and then the service stops.
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
