import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, findDataBase, POSTGRES_MAJOR, prepareDataPlace } from '@vuka/embedded-postgres';
import { serverSettings } from '#local-postgres.ts';
import { type Settings, StartError } from '#start-settings.ts';
import { withDatabase } from '#with-database.ts';
import { askProvider } from './ask-provider.ts';
import { auditBooks } from './audit-books.ts';
import { copyFile, syncDirectory, writeDurably } from './copy-files.ts';
import { adviseOnEntries } from './later-actions.ts';
import { findLaterFacts, type LaterFact, toCsv } from './later-facts.ts';
import { copyChecked, layCluster } from './lay-cluster.ts';
import { CLUSTER, findBackup, type Manifest, machine, SECRETS, stampOf } from './manifest.ts';
import { recoverCluster } from './recover-cluster.ts';
import { settleRestoredBooks } from './settle-restored-books.ts';
import { startWatchedServer } from './watched-server.ts';

export interface RestoreOptions {
  settings: Settings;
  /** A backup, or a directory of backups, whose newest suitable one is used. */
  from: string;
  at?: Date | undefined;
  timeline?: string | undefined;
  say: (line: string) => void;
  /** Aborts the restore without a trace, until the data is replaced. */
  signal: AbortSignal;
}

export interface Restored {
  /** The moment that the restored books show. */
  since: Date;
  /** Whether the ledger's audit found no violations. */
  holds: boolean;
  /**
   * The facts that the old data has and the restored data does not; undefined if there was none, or it was
   * unreadable.
   */
  later: LaterFact[] | undefined;
  /** The path of the list of these facts. */
  list: string;
  /** The new place of the old data. */
  aside: string | undefined;
}

/**
 * Replaces the current data with a backup's. The caller holds the lock of the data directory. Everything is copied,
 * checked and recovered next to it first, so nothing has changed when it throws a StartError; the old data is moved,
 * not deleted.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { settings, at, say } = options;
  const { backup, manifest } = await findBackup(options.from, at);
  refuseUnfit(manifest, options);
  say(`Restoring ${backup}, of ${manifest.finishedAt}${at ? `, to ${at.toISOString()}` : ''}...`);
  const stamp = stampOf(new Date());
  const current = join(settings.dataDir, 'postgres');
  const draft = join(settings.dataDir, 'postgres.restoring');
  await discard(draft);
  try {
    const server = await layAndRecover({ backup, manifest, draft, current }, options);
    const examined = await examine({ server, manifest, current }, options).finally(() => server.stop());
    options.signal.throwIfAborted();
    const list = join(settings.dataDir, `restored-${stamp}.csv`);
    await writeDurably(list, toCsv(examined.facts));
    await putSecrets({ backup, manifest, stamp }, options);
    const aside = existsSync(current) ? `${current}-before-${stamp}` : undefined;
    if (aside) await rename(current, aside);
    await rename(draft, current);
    await syncDirectory(settings.dataDir);
    return { ...examined, list, aside };
  } catch (error) {
    await discard(draft);
    throw error;
  }
}

function refuseUnfit(manifest: Manifest, { at, settings }: RestoreOptions): void {
  if (!manifest.isEmbedded) {
    throw new StartError(
      'This backup is of a Postgres of your own, and is restored there: see docs/runbooks/backup-and-restore.md.',
    );
  }
  if (Number.parseInt(manifest.postgresVersion, 10) !== POSTGRES_MAJOR || manifest.machine !== machine) {
    throw new StartError(
      `This backup is of Postgres ${manifest.postgresVersion} on ${manifest.machine}; here is Postgres ${POSTGRES_MAJOR} ` +
        `on ${machine}. A cluster's files only work with the same version and kind of machine.`,
    );
  }
  if (!at) return;
  if (at.getTime() < Date.parse(manifest.finishedAt)) {
    throw new StartError(
      `The backup was finished at ${manifest.finishedAt}; books cannot be restored to before that. Take an earlier one.`,
    );
  }
  if (!settings.walArchive || !existsSync(settings.walArchive)) {
    throw new StartError(
      'Restoring to a moment needs the archive of the write-ahead log: set VUKA_WAL_ARCHIVE to its directory' +
        `${settings.walArchive ? `; ${settings.walArchive} is not there` : ''}.`,
    );
  }
}

interface Places {
  backup: string;
  manifest: Manifest;
  draft: string;
  current: string;
}

async function layAndRecover({ backup, manifest, draft, current }: Places, options: RestoreOptions) {
  const { settings, say, at, timeline, signal } = options;
  const place = await prepareDataPlace(draft);
  await layCluster({ backup, manifest, place, current, say, signal });
  say('Recovering...');
  return recoverCluster({
    dataDir: draft,
    place,
    manifest,
    at,
    timeline,
    archive: settings.walArchive,
    currentCluster: join(await findDataBase(current), CLUSTER),
    signal,
  });
}

interface Examined {
  since: Date;
  holds: boolean;
  later: LaterFact[] | undefined;
  facts: LaterFact[];
}

async function examine(
  { server, manifest, current }: { server: EmbeddedPostgres; manifest: Manifest; current: string },
  { settings, at, say }: RestoreOptions,
): Promise<Examined> {
  const { databasePrefix } = manifest;
  const holds = await auditBooks(server.url, databasePrefix, say);
  const since = at ?? new Date(manifest.holdsUntil);
  await settleRestoredBooks(server.url, { databasePrefix, hasBroker: settings.amqpUrl !== undefined, at: since, say });
  say('');
  const later = await compareWithBefore({ current, restored: server.url, databasePrefix, since }, say);
  const paid = await askProvider(
    { serverUrl: server.url, databasePrefix, since },
    { settings, requestedBy: 'npm run restore' },
    say,
  );
  return { since, holds, later, facts: [...(later ?? []), ...paid] };
}

/** Reads the old data, if possible, through a server that accepts no writes. */
async function compareWithBefore(
  {
    current,
    restored,
    databasePrefix,
    since,
  }: { current: string; restored: string; databasePrefix: string; since: Date },
  say: (line: string) => void,
): Promise<LaterFact[] | undefined> {
  if (!existsSync(join(await findDataBase(current), CLUSTER))) {
    say('There is no earlier data to compare with.');
    return undefined;
  }
  let before: EmbeddedPostgres | undefined;
  try {
    const settings = { ...(await serverSettings(current)), default_transaction_read_only: 'on', autovacuum: 'off' };
    before = await startWatchedServer({ dataDir: current, settings });
    const facts = await findLaterFacts({ before: before.url, restored, databasePrefix }, since);
    return await withDatabase(restored, `${databasePrefix}_admin`, (admin) => adviseOnEntries(admin, facts));
  } catch (error) {
    say(`The earlier data could not be read, so what was acknowledged later is unknown: ${(error as Error).message}`);
    return undefined;
  } finally {
    await before?.stop();
  }
}

/** Uses the secrets of the backup, if they differ; the current ones are kept next to them. */
async function putSecrets(
  { backup, manifest, stamp }: { backup: string; manifest: Manifest; stamp: string },
  { settings, say }: RestoreOptions,
): Promise<void> {
  const kept = manifest.files.find(({ path }) => path === SECRETS);
  const own = join(settings.dataDir, SECRETS);
  if (!kept) {
    if (!existsSync(own)) say('There are no secrets, neither in the backup nor here: every PIN has to be set again.');
    return;
  }
  const draft = `${own}.restoring`;
  await rm(draft, { force: true });
  await copyChecked(backup, kept, { to: draft });
  const now = await readFile(own).catch(() => undefined);
  if (now && !now.equals(await readFile(draft))) {
    const aside = `${own}.before-${stamp}`;
    await copyFile(own, aside);
    say(`The secrets of the backup differ from those that were here, which are now in ${aside}.`);
  }
  await rename(draft, own);
}

/** Removes the remains of an interrupted restore. */
async function discard(draft: string): Promise<void> {
  const base = await findDataBase(draft);
  await rm(base, { recursive: true, force: true });
  await rm(draft, { recursive: true, force: true });
}
