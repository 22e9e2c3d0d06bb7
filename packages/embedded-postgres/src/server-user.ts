import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** The account that Postgres runs as; undefined means our own. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root, so root runs it under another account: the owner of an existing cluster, otherwise
 * `nobody`, which every system has. No account is created.
 */
export function chooseServerUser(clusterDir: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Whether that account may enter a directory. Every parent counts, so the reliable way is to try. */
export function canEnter(user: ServerUser, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}
