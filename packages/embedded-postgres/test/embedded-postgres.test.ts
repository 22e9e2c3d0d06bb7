import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findInstalled, prepareBinaries } from '../src/binaries.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };
/** Does not wait for anything, so it does not notice that its server has been killed. */
const LONG_STATEMENT = `do $$ begin while clock_timestamp() < now() + interval '2 s' loop end loop; end $$`;
let dir: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-postgres-'));
  await chmod(dir, 0o755);
  running = [];
  children = [];
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  for (const child of children) child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir });
  running.push(server);
  return server;
}

/** Starts a server in a separate process and returns its address. */
function startChild(
  dataDir: string,
  user?: { uid: number; gid: number },
): Promise<{ child: ChildProcess; url: string }> {
  const program = fileURLToPath(new URL('start-server.ts', import.meta.url));
  const child = spawn(process.execPath, [program, dataDir], { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.once('data', (chunk) => resolve({ child, url: String(chunk).trim() }));
    child.once('exit', () => reject(new Error(errors)));
  });
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that dies after its answer; during a query, the query fails too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('an embedded server', () => {
  test('keeps its data across a restart, and its password readable only by its owner', async () => {
    const first = await start(join(dir, 'data'));
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await start(join(dir, 'data'));
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    const passwordFile = join(dir, 'data', 'password');
    expect((await stat(passwordFile)).mode & 0o777).toBe(0o600);
    expect(second.url).toContain(await readFile(passwordFile, 'utf8'));
    await expect(query(second.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password');
  });

  test('listens on loopback only', async () => {
    const { port } = await start(join(dir, 'data'));
    const outside = Object.values(networkInterfaces()).flatMap((addresses) =>
      (addresses ?? []).filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
    );
    for (const host of outside) {
      const outcome = await new Promise((resolve) => {
        const socket = connect({ port, host, timeout: 2000 });
        socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'));
        socket.once('timeout', () => resolve('refused'));
      });
      expect(outcome).toBe('refused');
    }
  });

  test('is not stopped by a second start', async () => {
    const { url } = await start(join(dir, 'data'));
    await expect(startEmbeddedPostgres({ dataDir: join(dir, 'data') })).rejects.toThrow('in use by process');
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts again after its process was killed, with the data and without the orphan', async () => {
    const { child, url } = await startChild(join(dir, 'data'));
    await query(url, 'create table kept as select 42 as answer');
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]); // the orphan is still running

    const next = await start(join(dir, 'data'));
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    if (new URL(url).port !== String(next.port)) await expect(query(url, 'select 1')).rejects.toThrow();
  });

  test('starts again after kill -9 of the server, whose processes first finish their statements', async () => {
    const first = await start(join(dir, 'data'));
    await query(first.url, 'create table kept as select 42 as answer');
    const busy = query(first.url, LONG_STATEMENT).catch(() => undefined);
    const active = "select from pg_stat_activity where state = 'active' and query like 'do%'";
    while ((await query(first.url, active)).length === 0);
    process.kill(
      Number.parseInt(await readFile(join(dir, 'data', 'cluster', 'postmaster.pid'), 'utf8'), 10),
      'SIGKILL',
    );
    await first.stop();

    const second = await start(join(dir, 'data'));
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await busy;
  });

  test('starts after it was killed while creating its cluster', async () => {
    await mkdir(join(dir, 'data', 'cluster.new', 'base'), { recursive: true });
    const { url } = await start(join(dir, 'data'));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('runs from a package whose install script was disabled, and from a read-only package', async () => {
    const installed = join(dir, 'package', 'native');
    await cp(await findInstalled(), installed, { recursive: true, filter: async (path) => !(await isLink(path)) });
    const user = isRoot ? NOBODY : undefined;
    const inPlace = await prepareBinaries(installed, join(dir, 'spare'), user);
    expect(inPlace.initdb.startsWith(installed)).toBe(true);

    await chmod(join(dir, 'package'), isRoot ? 0o700 : 0o755);
    const prepared = await prepareBinaries(installed, join(dir, 'spare'), user);
    expect(prepared.initdb.startsWith(join(dir, isRoot ? 'spare' : 'package'))).toBe(true);
    const version = spawnSync(prepared.initdb, ['--version'], { ...user, cwd: '/', encoding: 'utf8' });
    expect(version.stdout).toContain('PostgreSQL');
  });
});

describe.skipIf(!isRoot)('an embedded server run by root', () => {
  test('runs below a directory that only root may enter, and keeps its data', async () => {
    await chmod(dir, 0o700);
    const first = await start(join(dir, 'data'));
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start(join(dir, 'data'));
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
    await rm(await readFile(join(dir, 'data', 'location'), 'utf8'), { recursive: true });
  });

  test('runs for an unprivileged user', async () => {
    await chown(dir, NOBODY.uid, NOBODY.gid);
    const { child, url } = await startChild(join(dir, 'data'), NOBODY);
    expect(await query(url, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    const { url: again } = await startChild(join(dir, 'data'), NOBODY);
    expect(await query(again, 'select 1 as one')).toEqual([{ one: 1 }]);
    // Root takes over the user's data, as after an accidental sudo.
    children.at(-1)?.removeAllListeners('exit').kill('SIGKILL');
    const asRoot = await start(join(dir, 'data'));
    expect(await query(asRoot.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path)).isSymbolicLink();
}
