import { chown, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataPlace, EmbeddedPostgres } from '@vuka/embedded-postgres';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { isServerAlive, serverSettings } from '#local-postgres.ts';
import { StartError } from '#start-settings.ts';
import { withDatabase } from '#with-database.ts';
import { copyFile, writeDurably } from './copy-files.ts';
import { CLUSTER, type Manifest } from './manifest.ts';
import { HISTORY_NAME, SEGMENT_NAME } from './wal-segments.ts';
import { startWatchedServer } from './watched-server.ts';

export interface Recovery {
  /** A data directory with the cluster of a backup in it. */
  dataDir: string;
  place: DataPlace;
  manifest: Manifest;
  /** The moment to recover to; undefined means the backup's end. */
  at: Date | undefined;
  /** The timeline to follow beyond the backup; undefined means its own. */
  timeline: string | undefined;
  archive: string | undefined;
  /** The current cluster, whose write-ahead log may reach further than the archive. */
  currentCluster: string;
  signal: AbortSignal;
}

/** The duration of a recovery depends on the length of the log, so this limit only ends a recovery that hangs. */
const PATIENCE_SECONDS = 24 * 3_600;
const LOOK_EVERY_MS = 100;

/**
 * Starts a cluster that recovers to a moment and then begins a new timeline, so that its archived log is never
 * mistaken for the previous one. Throws a StartError if the archive does not reach that moment.
 */
export async function recoverCluster(recovery: Recovery): Promise<EmbeddedPostgres> {
  const { dataDir, place, at, archive } = recovery;
  const cluster = join(place.base, CLUSTER);
  if (at) await bringLog(recovery, cluster);
  await writeDurably(join(cluster, 'recovery.signal'), '');
  if (place.user) await chown(join(cluster, 'recovery.signal'), place.user.uid, place.user.gid);
  const settings = {
    ...(await serverSettings(dataDir, archive)),
    restore_command: archive ? `cp ${quote(archive)}/%f "%p"` : 'exit 1',
    recovery_target_action: 'promote',
    recovery_target_timeline: recovery.timeline ?? 'current',
    // While Postgres reads its settings, it does not know the names of time zones yet.
    ...(at ? { recovery_target_time: at.toISOString().replace('Z', '+00') } : { recovery_target: 'immediate' }),
  };
  let server: EmbeddedPostgres | undefined;
  try {
    server = await startWatchedServer({
      dataDir,
      settings,
      port: await findFreePort(),
      startTimeoutSeconds: PATIENCE_SECONDS,
    });
    await untilRecovered(server.url, recovery);
    return server;
  } catch (cause) {
    await server?.stop();
    throw explain(recovery, cause as Error);
  }
}

/** During recovery the server answers but refuses writes. It exits if the log does not reach far enough. */
async function untilRecovered(url: string, { dataDir, place, signal }: Recovery): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const isRecovering = await withDatabase(url, 'postgres', async (client) => {
      const { rows } = await client.query<{ is: boolean }>('select pg_is_in_recovery() as is');
      return rows[0]?.is;
    }).catch(() => undefined);
    if (isRecovering === false) return;
    if (isRecovering === undefined && !(await isServerAlive(dataDir))) {
      const log = await readFile(join(place.base, 'postgres.log'), 'utf8').catch(() => '');
      throw new Error(`Postgres ended during recovery: ${log.slice(-2_000)}`);
    }
    await delay(LOOK_EVERY_MS);
  }
}

function explain({ at, manifest }: Recovery, cause: Error): Error {
  if (!/recovery ended before configured recovery target was reached/.test(cause.message)) return cause;
  const last = /last completed transaction was at log time ([^\n]+)/.exec(cause.message)?.[1] ?? manifest.finishedAt;
  return new StartError(
    `The archive does not reach ${at?.toISOString()}: its last entry is from ${last}. Nothing was changed.\n` +
      'Was something restored since the backup? Then its history continued under another number: see --timeline in\n' +
      'docs/runbooks/backup-and-restore.md.',
    { cause },
  );
}

/** For the shell that Postgres runs; per cent signs are placeholders of Postgres. */
function quote(path: string): string {
  return `'${path.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;
}

/**
 * Copies the part of the log that the current cluster has not archived yet: the last minutes. Files in the archive take
 * precedence.
 */
async function bringLog({ place, manifest, archive, currentCluster }: Recovery, cluster: string): Promise<void> {
  const known = new Set(await readdir(join(cluster, 'pg_wal')));
  const archived = archive ? await readdir(archive).catch(() => []) : [];
  const isSame = await areOneCluster(cluster, currentCluster);
  const own = isSame ? await readdir(join(currentCluster, 'pg_wal')) : [];
  const isLog = (name: string) => SEGMENT_NAME.test(name) || HISTORY_NAME.test(name);
  for (const name of own.filter((each) => isLog(each) && !known.has(each) && !archived.includes(each))) {
    const to = join(cluster, 'pg_wal', name);
    await copyFile(join(currentCluster, 'pg_wal', name), to);
    if (place.user) await chown(to, place.user.uid, place.user.gid);
  }
  if (![...archived, ...own].some((name) => SEGMENT_NAME.test(name) && !known.has(name))) {
    throw new StartError(
      `There is no write-ahead log from after the backup (${manifest.finishedAt}), so ` +
        'it can be restored as it is (without --at), and not to a later moment.',
    );
  }
}

/** Each cluster has a unique identifier at the start of its control file. */
async function areOneCluster(...clusters: string[]): Promise<boolean> {
  const numbers = await Promise.all(clusters.map((cluster) => readSystemId(cluster).catch(() => undefined)));
  return numbers[0] !== undefined && new Set(numbers).size === 1;
}

async function readSystemId(cluster: string): Promise<string> {
  const handle = await open(join(cluster, 'global/pg_control'), 'r');
  try {
    return (await handle.read(Buffer.alloc(8), 0, 8, 0)).buffer.toString('hex');
  } finally {
    await handle.close();
  }
}
