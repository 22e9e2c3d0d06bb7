import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  findDataBase,
  prepareServerDirectory,
  startEmbeddedPostgres,
} from '@vuka/embedded-postgres';
import { watchPostgres } from './watchdog.ts';

export interface LocalPostgres {
  /** The address for its superuser. */
  url: string;
  port: number;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/** Settings of every start. Backups and archives need a complete write-ahead log. */
export async function serverSettings(dataDir: string, walArchive?: string): Promise<Record<string, string>> {
  const own = { cluster_name: 'vuka', autovacuum_naptime: '30s', wal_level: 'replica' };
  if (!walArchive) return own;
  await prepareServerDirectory(walArchive, dataDir);
  // Postgres' own archive module: it writes a temporary file, syncs, renames, and never overwrites.
  return {
    ...own,
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': walArchive,
    archive_timeout: '5min',
  };
}

/** Runs the embedded Postgres, restarts it if it dies, and ensures that it does not outlive this process. */
export async function runPostgres(
  dataDir: string,
  { say, walArchive }: { say: (line: string) => void; walArchive: string | undefined },
): Promise<LocalPostgres> {
  if (!existsSync(join(dataDir, 'cluster')) && !existsSync(join(dataDir, 'location'))) {
    say('Preparing the database...');
  }
  const settings = await serverSettings(dataDir, walArchive);
  let server = await startEmbeddedPostgres({ dataDir, settings });
  let watchdog = await watchPostgres(dataDir);
  let isStopping = false;
  let repair = Promise.resolve();

  async function restart(previous: EmbeddedPostgres) {
    say('Postgres has ended; starting it again');
    watchdog.dismiss();
    await previous.stop().catch(() => undefined);
    server = await startEmbeddedPostgres({ dataDir, settings, port: previous.port });
    watchdog = await watchPostgres(dataDir);
  }

  const timer = setInterval(() => {
    repair = repair.then(async () => {
      if (isStopping || (await isServerAlive(dataDir))) return;
      await restart(server).catch((error: Error) => say(`Postgres did not start: ${error.message}`));
    });
  }, LOOK_EVERY_MS);

  return {
    url: server.url,
    port: server.port,
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await repair;
      await server.stop();
      watchdog.dismiss();
    },
  };
}

/** Whether the server of a data directory is running, started by any process. */
export async function isServerAlive(dataDir: string): Promise<boolean> {
  const content = await readFile(join(await findDataBase(dataDir), 'cluster', 'postmaster.pid'), 'utf8').catch(
    () => '',
  );
  const pid = Number.parseInt(content, 10);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
