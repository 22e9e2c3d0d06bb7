import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '#start-settings.ts';
import { copyFile, forEachAtOnce, listFiles, makeWhole, syncDirectory, writeDurably } from './copy-files.ts';
import {
  type BackedUpFile,
  backupName,
  CLUSTER,
  type Manifest,
  machine,
  manifestPath,
  SECRETS,
  SERVER_PASSWORD,
} from './manifest.ts';
import { createProgress } from './progress.ts';
import { HISTORY_NAME, parseLsn, segmentsBetween } from './wal-segments.ts';

export interface BackupOptions {
  /** The embedded server, as its superuser. */
  serverUrl: string;
  /** Where that server stores its cluster and password. */
  serverBase: string;
  dataDir: string;
  /** The parent directory of the backup. */
  to: string;
  databasePrefix: string;
  withSecrets: boolean;
  say: (line: string) => void;
  signal: AbortSignal;
}

export interface TakenBackup {
  path: string;
  manifest: Manifest;
}

/** Directories that Postgres recreates at its start; they are backed up empty. */
const EMPTIED = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
/** Files of the running server. The label of a backup comes from `pg_backup_stop`, never from the cluster. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map', 'backup_manifest'];
const CONTROL = 'global/pg_control';
const CONTROL_READS = 20;

/** Whether a path of a cluster is excluded from backups. */
function isLeftOut(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    LEFT_OUT.includes(path) ||
    path === CONTROL ||
    EMPTIED.some((dir) => path.startsWith(`${dir}/`)) ||
    name.startsWith('pgsql_tmp') ||
    name.startsWith('pg_internal.init') ||
    path.endsWith('.conf.tmp')
  );
}

/**
 * Copies a running embedded Postgres, all databases at one moment, with Postgres' low-level backup API. Until the
 * copy is complete its name ends in `.partial`; a failed one is removed. Throws a StartError if the server cannot be
 * backed up.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const client = new pg.Client({ connectionString: options.serverUrl, application_name: 'vuka backup' });
  client.on('error', () => undefined); // the next statement reports it
  await client.connect();
  const startedAt = new Date();
  const path = join(options.to, backupName(startedAt));
  try {
    const about = await checkServer(client, options);
    const manifest = await makeWhole(path, (draft) => fill(client, draft, { options, startedAt, ...about }));
    return { path, manifest };
  } finally {
    await client.end();
  }
}

interface ServerFacts {
  wal_level: string;
  cluster: string;
  version: string;
  segment: string;
  isArchiveFailing: boolean;
}

async function checkServer(client: pg.Client, { serverBase, say }: BackupOptions) {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('wal_level') as wal_level, current_setting('data_directory') as cluster,
      current_setting('server_version') as version,
      (select setting from pg_settings where name = 'wal_segment_size') as segment,
      (select last_failed_time > coalesce(last_archived_time, '-infinity') from pg_stat_archiver) as "isArchiveFailing"`,
  );
  const [found] = rows;
  if (!found) throw new Error('Postgres did not return its settings');
  if (found.cluster !== join(serverBase, CLUSTER)) throw new StartError(`Postgres keeps its data in ${found.cluster}.`);
  if (found.wal_level === 'minimal') {
    throw new StartError('This run was started by a version of Vuka that could not be backed up. Restart it once.');
  }
  if (found.isArchiveFailing) {
    say(`THE ARCHIVE FAILS: the last attempt to write to it failed. ${join(serverBase, 'postgres.log')} says why.`);
  }
  return { version: found.version, segmentBytes: BigInt(found.segment) };
}

interface Begun {
  options: BackupOptions;
  startedAt: Date;
  version: string;
  segmentBytes: bigint;
}

/** All files of a backup, the manifest last. */
async function fill(client: pg.Client, draft: string, begun: Begun): Promise<Manifest> {
  const { options } = begun;
  const startLsn = await beginBackup(client);
  const copied = await copyCluster(draft, options);
  const end = await endBackup(client);
  const label = await writeLabel(draft, end);
  const timeline = Number(/^START TIMELINE: (\d+)$/m.exec(end.labelfile)?.[1]);
  const range = { start: parseLsn(startLsn), stop: parseLsn(end.lsn), timeline };
  const wal = await copyWal(draft, options, segmentsBetween(range, begun.segmentBytes));
  const secrets = options.withSecrets ? await copySecrets(draft, options) : [];
  const manifest: Manifest = {
    format: 1,
    isEmbedded: true,
    postgresVersion: begun.version,
    machine,
    startedAt: begun.startedAt.toISOString(),
    holdsUntil: end.holdsUntil.toISOString(),
    finishedAt: end.finishedAt.toISOString(),
    startLsn,
    stopLsn: end.lsn,
    timeline,
    databasePrefix: options.databasePrefix,
    hasSecrets: secrets.some(({ path }) => path === SECRETS),
    directories: copied.directories,
    files: [...copied.files, ...label, ...wal, ...secrets],
  };
  await writeDurably(manifestPath(draft), `${JSON.stringify(manifest, null, 1)}\n`);
  for (const dir of [...copied.directories, '.']) await syncDirectory(join(draft, dir));
  return manifest;
}

/** Until the connection ends, the server keeps the write-ahead log from here on. */
async function beginBackup(client: pg.Client): Promise<string> {
  await client.query(`select pg_create_physical_replication_slot('vuka_backup_' || pg_backend_pid(), true, true)`);
  const { rows } = await client.query<{ lsn: string }>(`select pg_backup_start(label => 'vuka', fast => true) as lsn`);
  return rows[0]?.lsn ?? '';
}

interface BackupEnd {
  lsn: string;
  labelfile: string;
  spcmapfile: string;
  holdsUntil: Date;
  finishedAt: Date;
}

async function endBackup(client: pg.Client): Promise<BackupEnd> {
  const now = async () =>
    (await client.query<{ at: Date }>('select clock_timestamp() as at')).rows[0]?.at ?? new Date();
  const holdsUntil = await now();
  // The log is copied here, so there is no need to wait for the archive.
  const { rows } = await client.query<{ lsn: string; labelfile: string; spcmapfile: string }>(
    'select lsn, labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)',
  );
  const [end] = rows;
  if (!end) throw new Error('Postgres did not end the backup');
  return { ...end, holdsUntil, finishedAt: await now() };
}

async function copyCluster(draft: string, options: BackupOptions) {
  const { serverBase, signal, say } = options;
  const cluster = join(serverBase, CLUSTER);
  const listing = await listFiles(cluster, isLeftOut);
  const directories = [
    CLUSTER,
    ...listing.directories.map((dir) => `${CLUSTER}/${dir}`),
    `${CLUSTER}/pg_wal/archive_status`,
  ];
  for (const dir of directories) await mkdir(join(draft, dir), { mode: 0o700 });
  const progress = createProgress(
    'copied',
    listing.files.reduce((sum, { bytes }) => sum + bytes, 0),
    say,
  );
  const files: BackedUpFile[] = [];
  await forEachAtOnce(listing.files, async ({ path }) => {
    signal.throwIfAborted();
    const copied = await copyFile(join(cluster, path), join(draft, CLUSTER, path), progress.add);
    if (copied) files.push({ path: `${CLUSTER}/${path}`, ...copied });
  });
  files.push(await copyControl(cluster, draft));
  return { directories, files };
}

/** Copied last, and consistently: the server overwrites it in place. */
async function copyControl(cluster: string, draft: string): Promise<BackedUpFile> {
  const read = () => readFile(join(cluster, CONTROL));
  let content = await read();
  for (let reads = 1; reads <= CONTROL_READS; reads++) {
    const again = await read();
    if (again.equals(content)) return writeHashed(draft, `${CLUSTER}/${CONTROL}`, content);
    content = again;
  }
  throw new Error('pg_control kept changing while it was read');
}

async function writeHashed(draft: string, path: string, content: Buffer): Promise<BackedUpFile> {
  await writeDurably(join(draft, path), content);
  return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

async function writeLabel(draft: string, { labelfile, spcmapfile }: BackupEnd): Promise<BackedUpFile[]> {
  const files = [await writeHashed(draft, `${CLUSTER}/backup_label`, Buffer.from(labelfile))];
  if (spcmapfile) files.push(await writeHashed(draft, `${CLUSTER}/tablespace_map`, Buffer.from(spcmapfile)));
  return files;
}

async function copyWal(draft: string, { serverBase, signal }: BackupOptions, segments: string[]) {
  const names = await readdir(join(serverBase, CLUSTER, 'pg_wal'));
  const wanted = [...segments, ...names.filter((name) => HISTORY_NAME.test(name))];
  const files: BackedUpFile[] = [];
  for (const name of wanted) {
    signal.throwIfAborted();
    const path = `${CLUSTER}/pg_wal/${name}`;
    const copied = await copyFile(join(serverBase, path), join(draft, path));
    if (!copied) throw new Error(`${name} of the write-ahead log no longer exists; the backup cannot be completed`);
    files.push({ path, ...copied });
  }
  return files;
}

async function copySecrets(draft: string, { serverBase, dataDir }: BackupOptions): Promise<BackedUpFile[]> {
  const sources = [
    [SERVER_PASSWORD, join(serverBase, 'password')],
    [SECRETS, join(dataDir, 'secrets.json')],
  ] as const;
  const files: BackedUpFile[] = [];
  for (const [path, from] of sources) {
    const copied = await copyFile(from, join(draft, path));
    if (copied) files.push({ path, ...copied });
  }
  return files;
}
