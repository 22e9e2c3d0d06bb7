import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** An installed checkout of an earlier commit. */
export interface ReleaseBefore {
  root: string;
  remove(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const INSTALL = [
  'ci',
  '--omit=dev',
  '--include=optional',
  '--ignore-scripts',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
];

/** Checks a commit out beside this checkout and installs its dependencies. Throws if the commit or npm is missing. */
export async function checkOutBefore(commit: string): Promise<ReleaseBefore> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-before-'));
  const root = join(dir, 'checkout');
  const git = (...args: string[]) => run('git', args, { cwd: ROOT });
  const remove = async () => {
    await git('worktree', 'remove', '--force', root).catch(() => undefined);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await git('worktree', 'add', '--detach', root, commit);
    await run('npm', INSTALL, { cwd: root });
    return { root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
