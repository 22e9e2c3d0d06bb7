import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chown, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { ROOT } from '#start-settings.ts';

const run = promisify(execFile);
const TEMPLATES = join(ROOT, 'infra/backup');
const RUNBOOK = readFileSync(join(ROOT, 'docs/runbooks/server-backups.md'), 'utf8');
const PASSWORD = 'a-password-of-the-test';

/** Where the distribution keeps Postgres: the newest version, since its pgBackRest knows that one. */
const folders = ['/usr/lib/postgresql']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder)
      .sort((a, b) => Number(b) - Number(a))
      .map((major) => join(folder, major, 'bin')),
  )
  .filter((folder) => existsSync(join(folder, 'initdb')));
const isOnPath = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** The programs that are not installed; undefined if a server can be backed up here. */
export function missingPrograms(): string | undefined {
  const missing = [...(isOnPath('pgbackrest') ? [] : ['pgbackrest']), ...(folders.length > 0 ? [] : ['postgresql'])];
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : undefined;
}

export interface BackedUpServer {
  /** The address for the superuser. */
  url: string;
  /** Runs a command of the runbook, and returns what it printed. Throws if the runbook does not have it. */
  pgbackrest(command: string, values?: Record<string, string>): Promise<string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the server as a power cut does, and deletes its data as if the disk were lost. */
  lose(): Promise<void>;
  /** Resolves when everything committed so far is in the archive. */
  untilArchived(): Promise<void>;
  /** Changes a line of `pgbackrest.conf`. */
  configure(name: string, value: string): Promise<void>;
}

/** A Postgres of the distribution, with the files of `infra/backup` as its operator would install them. */
export async function createBackedUpServer(dir: string): Promise<BackedUpServer> {
  const [bin = ''] = folders;
  const user = serverUser();
  const port = await findFreePort();
  const [cluster, configuration] = [join(dir, 'cluster'), join(dir, 'pgbackrest.conf')];
  const env = { ...process.env, PGBACKREST_CONFIG: configuration };
  // Postgres and pgBackRest run as one account, which is not root.
  const asServer = (program: string, args: string[]) => run(program, args, { ...user, cwd: '/', env });
  for (const name of ['repository', 'log', 'lock', 'socket']) await ownDirectory(join(dir, name), user);
  if (user) await chown(dir, user.uid, user.gid);

  async function configure(name: string, value: string) {
    const before = await readFile(configuration, 'utf8');
    const after = before.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
    if (after === before && !before.includes(`${name}=${value}`)) throw new Error(`no ${name} in pgbackrest.conf`);
    await writeFile(configuration, after);
  }
  await cp(join(TEMPLATES, 'pgbackrest.conf'), configuration);
  const places = `log-path=${join(dir, 'log')}\nlock-path=${join(dir, 'lock')}`;
  const template = await readFile(configuration, 'utf8');
  await writeFile(configuration, template.replace('[global]', `[global]\n${places}`));
  await configure('repo1-path', join(dir, 'repository'));
  await configure('repo1-cipher-pass', 'a-passphrase-of-the-test');
  await configure('pg1-path', cluster);
  await configure('pg1-port', `${port}\npg1-user=postgres\npg1-socket-path=${join(dir, 'socket')}`);

  await writeFile(join(dir, 'password'), PASSWORD);
  const auth = ['--username=postgres', `--pwfile=${join(dir, 'password')}`, '--auth-host=scram-sha-256'];
  await asServer(join(bin, 'initdb'), [`--pgdata=${cluster}`, ...auth, '--auth-local=trust', '--locale=C.UTF-8']);
  await cp(join(TEMPLATES, 'postgresql.conf'), join(cluster, 'archive.conf'));
  await appendFile(
    join(cluster, 'postgresql.conf'),
    `include 'archive.conf'\nport = ${port}\nlisten_addresses = '127.0.0.1'\nmax_connections = 200\n` +
      `unix_socket_directories = '${join(dir, 'socket')}'\n`,
  );
  const url = `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const control = (...args: string[]) => asServer(join(bin, 'pg_ctl'), [...args, '-D', cluster, '-w', '-s']);
  const ask = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client.query<Row>(text, values).finally(() => client.end());
  };
  return {
    url,
    configure,
    async pgbackrest(command, values = {}) {
      if (!RUNBOOK.includes(`pgbackrest ${command}`))
        throw new Error(`the runbook does not have: pgbackrest ${command}`);
      const words = command.match(/"[^"]*"|\S+/g) ?? [];
      const filled = words.map((word) =>
        Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), word.replaceAll('"', '')),
      );
      return (await asServer('pgbackrest', filled)).stdout;
    },
    async start() {
      await control('start', '-l', join(dir, 'log', 'postgres.log'));
      const isPrimary = async () => !(await ask<{ in: boolean }>('select pg_is_in_recovery() as in')).rows[0]?.in;
      await until(isPrimary, { timeoutMs: 120_000, everyMs: 100, what: 'the recovery to end' });
    },
    stop: async () => void (await control('stop', '-m', 'fast')),
    async lose() {
      await control('stop', '-m', 'immediate');
      await rm(cluster, { recursive: true });
      await ownDirectory(cluster, user);
    },
    async untilArchived() {
      // Writes a record first, because Postgres does not switch an empty segment.
      const { rows } = await ask<{ file: string }>(`select pg_walfile_name(pg_create_restore_point('now')) as file`);
      await ask('select pg_switch_wal()');
      const isArchived = async () => {
        const found = await ask('select from pg_stat_archiver where last_archived_wal >= $1', [rows[0]?.file]);
        return (found.rowCount ?? 0) > 0;
      };
      await until(isArchived, { timeoutMs: 60_000, everyMs: 100, what: 'the log to be archived' });
    },
  };
}

type Account = { uid: number; gid: number } | undefined;

/** The account of Debian's package, if we are root. */
function serverUser(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function ownDirectory(path: string, user: Account): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (user) await chown(path, user.uid, user.gid);
}
