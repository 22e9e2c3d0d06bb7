import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Binaries, findInstalled, POSTGRES_VERSION, prepareBinaries } from './binaries.ts';
import { findFreePort } from './free-port.ts';
import { stopOrphan } from './orphan.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { canEnter, chooseServerUser, type ServerUser } from './server-user.ts';

export interface EmbeddedPostgresOptions {
  /** The location of the cluster; created if missing. A later start finds the same data. */
  dataDir: string;
  /** Defaults to a free port. */
  port?: number;
  /** Server settings that override the defaults, such as `{ shared_buffers: '256MB' }`. */
  settings?: Readonly<Record<string, string>>;
  /** The environment of the server's processes; ours by default. */
  env?: NodeJS.ProcessEnv;
  /** The longest time that a start may take, s; 60 by default. A recovery takes as long as reading its archive. */
  startTimeoutSeconds?: number;
}

/** Where a data directory actually keeps its cluster and password, and who must own the files; undefined means us. */
export interface DataPlace {
  base: string;
  user: ServerUser | undefined;
}

/** The major version of the programs; clusters of another version cannot be opened. */
export const POSTGRES_MAJOR = Number.parseInt(POSTGRES_VERSION, 10);

/** A running server. `url` connects as superuser to the database `postgres`. */
export interface EmbeddedPostgres {
  url: string;
  port: number;
  stop(): Promise<void>;
}

interface Layout {
  cluster: string;
  passwordFile: string;
  log: string;
  binaries: Binaries;
  user: ServerUser | undefined;
}

/** Where root keeps files that the server's account must reach if the project directory is closed to it. */
const SHARED_DIR = '/var/lib/vuka';
const START_ATTEMPTS = 3;
/**
 * A killed server's processes end only when they notice it, which a long statement delays; until then Postgres reports
 * this.
 */
const STILL_IN_USE = 'pre-existing shared memory block';
const STILL_IN_USE_PAUSE_MS = 100;
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '64MB',
  max_connections: '200',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  password_encryption: 'scram-sha-256',
};

const run = promisify(execFile);

/**
 * Starts a real Postgres on loopback only, from the programs of an npm package, as any user including root. A server
 * left behind by a killed process is stopped first. Throws if a live process uses the directory, and if this machine
 * cannot run the programs.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o700);
  const lock = await acquireOwnerLock(dataDir);
  try {
    const layout = await prepareLayout(dataDir);
    await stopOrphan(layout.cluster, () => stopServer(layout));
    if (!existsSync(layout.cluster)) await initialise(layout);
    const port = await startServer(layout, options);
    const password = await readFile(layout.passwordFile, 'utf8');
    let stopping: Promise<void> | undefined;
    return {
      url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
      port,
      stop() {
        stopping ??= stopServer(layout).finally(() => lock.release());
        return stopping;
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function prepareLayout(dataDir: string): Promise<Layout> {
  const { base, user } = await prepareDataPlace(dataDir);
  const spareDir = user ? SHARED_DIR : join(dataDir, 'programs');
  return {
    cluster: join(base, 'cluster'),
    passwordFile: join(base, 'password'),
    log: join(base, 'postgres.log'),
    binaries: await prepareBinaries(await findInstalled(), spareDir, user),
    user,
  };
}

/**
 * Creates a data directory that the server's account can reach, without a cluster, for callers that put files there
 * before a start.
 */
export async function prepareDataPlace(dataDir: string): Promise<DataPlace> {
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o700);
  const user = chooseServerUser(join(dataDir, 'cluster'));
  if (!user) return { base: dataDir, user };
  await mkdir(SHARED_DIR, { recursive: true, mode: 0o755 });
  await chown(dataDir, user.uid, user.gid);
  if (canEnter(user, dataDir)) return { base: dataDir, user };
  const base = await relocate(dataDir, user);
  return { base, user: chooseServerUser(join(base, 'cluster')) ?? user };
}

/**
 * Creates another directory that the server of a data directory can write to; throws if the server cannot reach it.
 */
export async function prepareServerDirectory(dir: string, dataDir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const user = chooseServerUser(join(await findDataBase(dataDir), 'cluster'));
  if (!user) return;
  await chown(dir, user.uid, user.gid);
  if (canEnter(user, dir)) return;
  throw new Error(
    `The account that Postgres runs as (uid ${user.uid}) may not enter ${dir}: a directory above it is closed`,
  );
}

/** Where a data directory keeps its cluster, password and log: in itself, or in the place that it names. */
export function findDataBase(dataDir: string): Promise<string> {
  return readFile(join(dataDir, 'location'), 'utf8').catch(() => dataDir);
}

/**
 * Moves the data elsewhere. The data directory then only names the place, so that deleting it still means a fresh
 * start.
 */
async function relocate(dataDir: string, user: ServerUser): Promise<string> {
  const pointer = join(dataDir, 'location');
  const known = await readFile(pointer, 'utf8').catch(() => undefined);
  if (known && existsSync(known)) return known;
  const base = join(SHARED_DIR, randomUUID());
  await mkdir(base, { mode: 0o700 });
  await chown(base, user.uid, user.gid);
  await writeFile(pointer, base);
  return base;
}

/** Creates the cluster in a temporary place and then moves it, so that a half-made cluster is never used. */
async function initialise({ cluster, passwordFile, binaries, user }: Layout): Promise<void> {
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await chmod(passwordFile, 0o600);
  if (user) await chown(passwordFile, user.uid, user.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const auth = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  await run(binaries.initdb, [`--pgdata=${draft}`, ...auth, ...locale, '--no-instructions'], spawnOptions(user));
  await appendFile(join(draft, 'postgresql.conf'), "\ninclude_if_exists = 'vuka.conf'\n");
  await rename(draft, cluster);
}

async function startServer(layout: Layout, options: EmbeddedPostgresOptions): Promise<number> {
  const { startTimeoutSeconds = 60 } = options;
  const deadlineMs = Date.now() + startTimeoutSeconds * 1_000;
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await findFreePort());
    await writeSettings(layout.cluster, port, options.settings ?? {});
    await rm(layout.log, { force: true });
    try {
      const args = ['start', '-w', '-s', '-t', String(startTimeoutSeconds), '-D', layout.cluster, '-l', layout.log];
      await run(layout.binaries.pgCtl, args, {
        ...spawnOptions(layout.user),
        ...(options.env && { env: options.env }),
      });
      return port;
    } catch (cause) {
      const log = await readFile(layout.log, 'utf8').catch(() => '');
      if (log.includes(STILL_IN_USE) && Date.now() < deadlineMs) {
        await delay(STILL_IN_USE_PAUSE_MS);
        continue;
      }
      if (options.port === undefined && attempt < START_ATTEMPTS) continue;
      throw new Error(`Postgres did not start: ${log.slice(-2000)}`, { cause });
    }
  }
}

async function writeSettings(cluster: string, port: number, settings: Readonly<Record<string, string>>): Promise<void> {
  const network = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
  const lines = Object.entries({ ...SETTINGS, ...settings, ...network }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  await writeFile(join(cluster, 'vuka.conf'), lines.join(''), { mode: 0o644 });
}

async function stopServer({ cluster, binaries, user }: Layout): Promise<void> {
  const control = (...args: string[]) => run(binaries.pgCtl, [...args, '-D', cluster], spawnOptions(user));
  const isRunning = () =>
    control('status').then(
      () => true,
      () => false,
    );
  if (!(await isRunning())) return;
  for (const mode of ['fast', 'immediate']) {
    try {
      await control('stop', '-w', '-s', '-t', '8', '-m', mode);
      return;
    } catch (error) {
      if (!(await isRunning())) return;
      if (mode === 'immediate') throw error;
    }
  }
}

/** With a working directory that every account may enter. */
function spawnOptions(user: ServerUser | undefined) {
  return process.platform === 'win32' ? { windowsHide: true } : { ...user, cwd: '/' };
}
