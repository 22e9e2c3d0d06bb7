import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDataBase } from '@vuka/embedded-postgres';

const GRACE_SECONDS = 3;

/**
 * Stops the embedded Postgres if this process is killed: a shell waits for the end of its input, gives the services a
 * moment to finish, and then stops exactly that server, unless a new run has done so already.
 */
export async function watchPostgres(postgresDir: string): Promise<{ dismiss(): void }> {
  if (process.platform === 'win32') return { dismiss: () => undefined };
  const pidFile = join(await findDataBase(postgresDir), 'cluster', 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  const script = `
    read -r word; [ "$word" = dismissed ] && exit 0
    sleep ${GRACE_SECONDS}
    [ "$(head -n 1 "$1")" = "$2" ] && kill -INT "$2"`;
  const shell = spawn('/bin/sh', ['-c', script, 'vuka-watchdog', pidFile, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return { dismiss: () => void shell.stdin.end('dismissed\n') };
}
