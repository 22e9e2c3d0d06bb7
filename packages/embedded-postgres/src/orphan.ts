import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Stops the server that a killed process left running on `cluster`. A process that has only reused its id is not
 * touched, and the stale file is removed, since Postgres would refuse to start over it.
 */
export async function stopOrphan(cluster: string, stop: () => Promise<void>): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => undefined);
  if (content === undefined) return;
  if (isPostgres(Number.parseInt(content, 10))) await stop();
  else await rm(pidFile, { force: true });
}

function isPostgres(pid: number): boolean {
  if (!(pid > 0)) return false;
  const [program, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/fi', `PID eq ${pid}`, '/fo', 'csv', '/nh']]
      : ['ps', ['-ww', '-o', 'command=', '-p', String(pid)]];
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes('postgres');
  } catch (error) {
    // If ps is missing, as in slim containers, Linux provides the same through /proc.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    return isPostgresByProc(pid);
  }
}

function isPostgresByProc(pid: number): boolean {
  try {
    return execFileSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' }).includes('postgres');
  } catch {
    return false;
  }
}
