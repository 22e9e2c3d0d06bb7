import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@vuka/test-kit/until';

/** The processes of a Postgres, found by the files of its cluster, so that the server need not answer. */
export interface PostgresProcess {
  /** SIGKILL to all of them; resolves when none is left. */
  kill(): Promise<void>;
  isRunning(): Promise<boolean>;
}

const ENDED_MS = 10_000;

export function createPostgresProcess(cluster: string): PostgresProcess {
  const findFirst = async () => {
    const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
    return Number.parseInt(text, 10) || undefined;
  };
  return {
    async kill() {
      const first = await findFirst();
      if (first === undefined) return;
      const all = [first, ...listed(['--ppid', String(first)]).map(({ pid }) => pid)];
      for (const pid of all) signal(pid, 'SIGKILL');
      const isLeft = () => listed(['-p', all.join(',')]).some(({ state }) => !state.startsWith('Z'));
      await until(() => !isLeft(), { timeoutMs: ENDED_MS, everyMs: 10, what: 'Postgres to end' });
    },
    async isRunning() {
      const first = await findFirst();
      return first !== undefined && listed(['-p', String(first)]).some(({ state }) => !state.startsWith('Z'));
    },
  };
}

function listed(which: string[]): { pid: number; state: string }[] {
  try {
    const lines = execFileSync('ps', ['-o', 'pid=,stat=', ...which], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return lines.map((line) => {
      const [pid = '', state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), state };
    });
  } catch {
    return []; // ps fails if it finds none
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // already ended
  }
}
