import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { FleetProcess } from '@vuka/local/testing/fleet';
import { until } from '@vuka/test-kit/until';
import type { Inject } from './installation.ts';
import { pickProcess, signal, untilReplaced } from './processes.ts';
import { lengthOf } from './random.ts';

const LIMITED = ['gateway', 'identity', 'wallet', 'transfers', 'transfers-worker'] as const;
const PAGE_BYTES = 4_096;
/** The memory that a process may still allocate before it ends, in the middle of some work. */
const MOST_LEFT_BYTES = 8 * 2 ** 20;
/** After this time the process gets SIGKILL, as from the kernel on a machine without memory. */
const KERNEL_AFTER_MS = 4_000;

/** Whether the memory of a running process can be limited. */
export const canLimitMemory = (): boolean =>
  process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0;

async function limitMemory(pid: number, leftBytes: number): Promise<void> {
  const [pages = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  const most = Number(pages) * PAGE_BYTES + leftBytes;
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--as=${most}`, '--core=0']);
}

function hasEnded({ pid = 0 }: FleetProcess): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

function runOutOfMemory(service: string): Inject {
  return async (broken, draw) => {
    const starved = pickProcess(broken, service, draw);
    await limitMemory(starved.pid ?? 0, lengthOf(draw, 0, MOST_LEFT_BYTES));
    await until(() => hasEnded(starved), { timeoutMs: KERNEL_AFTER_MS, everyMs: 20 }).catch(() => undefined);
    if (!hasEnded(starved)) signal(starved, 'SIGKILL');
    return untilReplaced(broken, service, starved);
  };
}

/** Possible where the memory of a running process can be limited. */
export const MEMORY_FAULTS: Record<string, Inject> = Object.fromEntries(
  LIMITED.map((service) => [`out of memory: ${service}`, runOutOfMemory(service)]),
);
