import { spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '#start-settings.ts';
import { copyFile, hashFile, listFiles, makeWhole, syncDirectory, writeDurably } from './copy-files.ts';
import { type BackedUpFile, backupName, CLUSTER, type Manifest, machine, manifestPath, SECRETS } from './manifest.ts';
import type { BackupOptions, TakenBackup } from './take-backup.ts';

const RUNBOOK = 'See docs/runbooks/backup-and-restore.md, "A Postgres of your own".';

/**
 * Backs up a server of the operator with its `pg_basebackup`, write-ahead log included. Throws a StartError if that
 * program is missing here, or the server refuses.
 */
export async function backUpOwnServer(options: Omit<BackupOptions, 'serverBase'>): Promise<TakenBackup> {
  const version = await askVersion(options.serverUrl);
  const startedAt = new Date();
  const path = join(options.to, backupName(startedAt));
  const manifest = await makeWhole(path, async (draft) => {
    await runBaseBackup(options, join(draft, CLUSTER));
    // The server's clock is not read again: facts acknowledged before the start are included in any case.
    const described = await describe(draft, { options, startedAt, version });
    await writeDurably(manifestPath(draft), `${JSON.stringify(described, null, 1)}\n`);
    await syncDirectory(draft);
    return described;
  });
  return { path, manifest };
}

async function askVersion(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    return rows[0]?.version ?? '';
  } catch (cause) {
    throw new StartError(`The Postgres of DATABASE_URL does not answer: ${(cause as Error).message}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function runBaseBackup({ serverUrl, say, signal }: Omit<BackupOptions, 'serverBase'>, to: string): Promise<void> {
  // The password is passed in the environment: every user of this machine can read arguments.
  const url = new URL(serverUrl);
  const PGPASSWORD = decodeURIComponent(url.password);
  url.password = '';
  const words = [
    '--pgdata',
    to,
    '--wal-method=stream',
    '--checkpoint=fast',
    '--no-password',
    '--dbname',
    url.toString(),
  ];
  const env = { ...process.env, ...(PGPASSWORD ? { PGPASSWORD } : {}) };
  say('Running pg_basebackup...');
  return new Promise((resolve, reject) => {
    const child = spawn('pg_basebackup', words, { env, stdio: ['ignore', 'inherit', 'pipe'], signal });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.on('error', (cause: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else if (cause.code === 'ENOENT') {
        reject(new StartError(`There is no pg_basebackup on the PATH of this machine. ${RUNBOOK}`, { cause }));
      } else reject(cause);
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`pg_basebackup could not back up the server: ${said.trim()}\n${RUNBOOK}`));
    });
  });
}

interface Described {
  options: Omit<BackupOptions, 'serverBase'>;
  startedAt: Date;
  version: string;
}

async function describe(draft: string, { options, startedAt, version }: Described): Promise<Manifest> {
  const secrets = options.withSecrets
    ? await copyFile(join(options.dataDir, SECRETS), join(draft, SECRETS))
    : undefined;
  const listing = await listFiles(draft);
  const files: BackedUpFile[] = [];
  for (const { path } of listing.files) files.push({ path, ...(await hashFile(join(draft, path))) });
  return {
    format: 1,
    isEmbedded: false,
    postgresVersion: version,
    machine,
    startedAt: startedAt.toISOString(),
    holdsUntil: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    startLsn: '',
    stopLsn: '',
    timeline: 0,
    databasePrefix: options.databasePrefix,
    hasSecrets: secrets !== undefined,
    directories: listing.directories,
    files,
  };
}
