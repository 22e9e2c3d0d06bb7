import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, findDataBase, startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBackup } from '#backup/manifest.ts';
import { restoreBackup } from '#backup/restore-backup.ts';
import { settleRestoredBooks } from '#backup/settle-restored-books.ts';
import { takeBackup } from '#backup/take-backup.ts';
import { SEGMENT_NAME } from '#backup/wal-segments.ts';
import { planDatabases, prepareDatabases, rolesOf } from '#databases.ts';
import { serverSettings } from '#local-postgres.ts';
import { ROOT, readSettings } from '#start-settings.ts';
import { withDatabase } from '#with-database.ts';

const TIMEOUT_MS = 240_000;
let dir: string;
let dataDir: string;
let archive: string;
let backups: string;
let running: EmbeddedPostgres[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-backup-'));
  await chmod(dir, 0o755);
  [dataDir, archive, backups] = [join(dir, 'data'), join(dir, 'archive'), join(dir, 'backups')];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  // The server of a killed backup still writes for a moment.
  await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function start(walArchive?: string): Promise<EmbeddedPostgres> {
  const postgres = join(dataDir, 'postgres');
  const server = await startEmbeddedPostgres({
    dataDir: postgres,
    settings: await serverSettings(postgres, walArchive),
  });
  running.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function backUp(server: EmbeddedPostgres, signal = new AbortController().signal) {
  const serverBase = await findDataBase(join(dataDir, 'postgres'));
  const common = { dataDir, to: backups, databasePrefix: 'vuka', withSecrets: true, say: () => undefined };
  return takeBackup({ serverUrl: server.url, serverBase, signal, ...common });
}

const restore = (from: string, options: { at?: Date; walArchive?: string } = {}) =>
  restoreBackup({
    settings: readSettings({ VUKA_DATA_DIR: dataDir, VUKA_WAL_ARCHIVE: options.walArchive }),
    from,
    at: options.at,
    say: () => undefined,
    signal: new AbortController().signal,
  });

/** A refused restore touches neither the data nor anything next to it. */
async function expectUntouched(): Promise<void> {
  expect(await readdir(dataDir)).toEqual(['postgres']);
  expect(await query(await start(), 'select answer from kept')).toEqual([{ answer: 42 }]);
}

test('a backup with one changed byte, a truncated or a missing file is refused, and nothing is touched', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await start();
  await query(server, 'create table kept as select 42 as answer');
  const { path, manifest } = await backUp(server);
  await server.stop();
  const victim =
    manifest.files.filter((file) => /base\/\d+\/\d+$/.test(file.path) && file.bytes > 8_192).at(-1)?.path ?? '';
  const file = await open(join(path, victim), 'r+');
  const byte = (await file.read(Buffer.alloc(1), 0, 1, 5_000)).buffer;
  await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, 5_000);
  await expect(restore(path)).rejects.toThrow('is damaged');
  await file.truncate(4_096);
  await expect(restore(path)).rejects.toThrow('is damaged');
  await file.close();
  await rm(join(path, victim));
  await expect(restore(path)).rejects.toThrow('is missing');
  await expectUntouched();
});

test('a backup is private, and contains neither the lock nor the slots of its server', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { path, manifest } = await backUp(await start());
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  const modes = await Promise.all(manifest.files.map(async (file) => (await stat(join(path, file.path))).mode & 0o777));
  expect(new Set(modes)).toEqual(new Set([0o600]));
  const paths = manifest.files.map((file) => file.path);
  expect(paths).toEqual(
    expect.arrayContaining(['cluster/backup_label', 'cluster/global/pg_control', 'postgres-password']),
  );
  expect(paths.filter((each) => /postmaster|pg_replslot\/|pgsql_tmp/.test(each))).toEqual([]);
  expect(await findBackup(backups)).toMatchObject({ backup: path });
});

test('a killed, interrupted or incomplete backup is not used', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await start();
  const stopping = new AbortController();
  stopping.abort(new Error('interrupted'));
  await expect(backUp(server, stopping.signal)).rejects.toThrow('interrupted');
  expect(await readdir(backups)).toEqual([]);
  await server.stop();

  const env = { ...process.env, VUKA_DATA_DIR: dataDir, DATABASE_URL: '', VUKA_WAL_ARCHIVE: '' };
  const child = spawn(process.execPath, [join(ROOT, 'infra/local/src/backup.ts'), '--to', backups], { env });
  const draft = await until(async () => (await readdir(backups)).find((name) => name.endsWith('.partial')), {
    timeoutMs: 60_000,
    everyMs: 5,
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect(findBackup(backups)).rejects.toThrow('There is no backup');
  await expect(findBackup(join(backups, draft))).rejects.toThrow('was interrupted');
  const renamed = join(backups, draft.replace('.partial', ''));
  await rename(join(backups, draft), renamed);
  await expect(restore(renamed)).rejects.toThrow('It is no backup');
});

test('a moment that the archive does not reach, or that is before the backup, is refused', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await start(archive);
  await query(server, 'create table kept as select 42 as answer');
  const { path, manifest } = await backUp(server);
  await server.stop();
  const soon = new Date(Date.now() + 3_600_000);
  await expect(restore(path, { at: soon })).rejects.toThrow('set VUKA_WAL_ARCHIVE');
  await expect(restore(path, { at: soon, walArchive: archive })).rejects.toThrow('does not reach');
  const early = new Date(Date.parse(manifest.finishedAt) - 1);
  await expect(restore(path, { at: early, walArchive: archive })).rejects.toThrow('cannot be restored to before that');
  expect(existsSync(join(dataDir, 'postgres.restoring'))).toBe(false);
  await expectUntouched();
});

test('an archived file is never overwritten by another cluster with a file of the same name', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await start(archive);
  await query(server, 'select pg_switch_wal()');
  const archived = async () => (await readdir(archive)).find((name) => SEGMENT_NAME.test(name));
  const first = await until(archived, { timeoutMs: 30_000, everyMs: 50 });
  const before = await stat(join(archive, first));
  await server.stop();
  await rm(dataDir, { recursive: true });

  const other = await start(archive);
  await query(other, 'create table filler as select generate_series(1, 1000); select pg_switch_wal()');
  const failures = async () =>
    Number((await query(other, 'select failed_count from pg_stat_archiver'))[0]?.failed_count);
  await until(async () => (await failures()) > 0, { timeoutMs: 30_000, everyMs: 50 });
  expect(await stat(join(archive, first))).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino });
});

test('every session ends, the books begin a new epoch, and with a broker recent messages are published again', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await start();
  const plans = planDatabases('vuka');
  const passwords = Object.fromEntries(rolesOf(plans).map((role) => [role, 'a-password']));
  await (await prepareDatabases(server.url, plans, passwords, 'vuka')).release();
  const at = new Date('2026-01-05T12:00:00Z');
  await withDatabase(server.url, 'vuka_identity', (client) => client.query('create table sessions as select 1 as id'));
  await withDatabase(server.url, 'vuka_transfers', (client) =>
    client.query(`create table transactions as
      select gen_random_uuid() as id, * from (values (true, '{"payoutId": "1"}'::jsonb), (false, '{}')) as transfers(is_open, metadata)`),
  );
  await withDatabase(server.url, 'vuka_wallet', (client) =>
    client.query(
      `create table holds as select gen_random_uuid() as transfer_id, 'open' as state, null::timestamptz as expires_at where false`,
    ),
  );
  await withDatabase(server.url, 'vuka_rates', (client) =>
    client.query(`create table outbox as
      select what, published_at::timestamptz, null::timestamptz as claimed_until, null::timestamptz as next_attempt_at
      from (values ('long ago', '2026-01-05T10:59:00Z'), ('lately', '2026-01-05T11:01:00Z')) as messages(what, published_at)`),
  );
  const unpublished = () =>
    withDatabase(server.url, 'vuka_rates', async (client) =>
      (await client.query('select what from outbox where published_at is null')).rows.map(({ what }) => what),
    );
  await settleRestoredBooks(server.url, { databasePrefix: 'vuka', hasBroker: false, at, say: () => undefined });
  expect(await unpublished()).toEqual([]);
  await withDatabase(server.url, 'vuka_transfers', async (client) => {
    expect((await client.query('select metadata from transactions order by is_open')).rows).toEqual([
      { metadata: {} },
      { metadata: { payoutId: '1', isRestored: true } },
    ]);
    await client.query(`create table books_epoch as select 'here' as place`);
  });
  await settleRestoredBooks(server.url, { databasePrefix: 'vuka', hasBroker: true, at, say: () => undefined });
  expect(await unpublished()).toEqual(['lately']);
  await withDatabase(server.url, 'vuka_identity', async (client) =>
    expect((await client.query('select from sessions')).rowCount).toBe(0),
  );
  await withDatabase(server.url, 'vuka_transfers', async (client) =>
    expect((await client.query('select place from books_epoch')).rows).toEqual([{ place: 'before a restore' }]),
  );
});
