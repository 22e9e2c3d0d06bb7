import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findDataBase } from '@vuka/embedded-postgres';
import { acquireOwnerLock } from '@vuka/embedded-postgres/owner-lock';
import { readArguments } from '@vuka/service-kit/command-line';
import { writeBackupFigure } from './backup/backup-figure.ts';
import { encryptDirectory, writeIdentity } from './backup/encrypted-archive.ts';
import { CLUSTER, ENCRYPTED, type Manifest } from './backup/manifest.ts';
import { backUpOwnServer } from './backup/own-server.ts';
import { formatBytes } from './backup/progress.ts';
import { type TakenBackup, takeBackup } from './backup/take-backup.ts';
import { runPostgres } from './local-postgres.ts';
import { readRunFile } from './run-file.ts';
import { readSettings, resolveDir, type Settings, StartError } from './start-settings.ts';

// `npm run backup [-- --to <directory>] [--without-secrets] [--encrypt-to <recipient>] [--figure-to <directory>]`, while the
// product is running or stopped. `npm run backup -- --new-identity <file>` makes a recipient.
const USAGE = `Usage: npm run backup -- [--to <directory>] [--without-secrets] [--encrypt-to <recipient>] [--figure-to <directory>]
       npm run backup -- --new-identity <file>`;
const stopping = new AbortController();
const say = (line: string) => console.log(line);

interface Order {
  to: string;
  withSecrets: boolean;
}

async function backUp(settings: Settings, order: Order): Promise<TakenBackup> {
  const common = { ...order, dataDir: settings.dataDir, databasePrefix: settings.databasePrefix, say };
  if (settings.databaseUrl)
    return backUpOwnServer({ ...common, serverUrl: settings.databaseUrl, signal: stopping.signal });
  const postgres = join(settings.dataDir, 'postgres');
  if (!existsSync(join(await findDataBase(postgres), CLUSTER))) {
    throw new StartError(`There is no data in ${settings.dataDir} yet.`);
  }
  const lock = await acquireOwnerLock(settings.dataDir).catch(() => undefined);
  if (!lock) {
    const run = await readRunFile(settings.dataDir);
    if (!run) throw new StartError('Vuka is starting or stopping. Try again in a moment.');
    const serverBase = await findDataBase(postgres);
    return takeBackup({ ...common, serverUrl: run.serverUrl, serverBase, signal: stopping.signal });
  }
  try {
    say('Vuka is stopped; starting only its Postgres...');
    const server = await runPostgres(postgres, { say, walArchive: settings.walArchive });
    try {
      const serverBase = await findDataBase(postgres);
      return await takeBackup({ ...common, serverUrl: server.url, serverBase, signal: stopping.signal });
    } finally {
      await server.stop();
    }
  } finally {
    await lock.release();
  }
}

interface Made {
  path: string;
  manifest: Manifest;
}

/**
 * Takes the backup inside the data directory, where it is as protected as the data, and writes only its encrypted form
 * to the target.
 */
async function backUpEncrypted(settings: Settings, order: Order, recipients: string[]): Promise<Made> {
  const draft = join(settings.dataDir, 'backup-to-encrypt');
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(order.to, { recursive: true, mode: 0o700 });
    const { path: clear, manifest } = await backUp(settings, { ...order, to: draft });
    const path = join(order.to, basename(clear) + ENCRYPTED);
    say('Encrypting...');
    await encryptDirectory(clear, path, { recipients, signal: stopping.signal });
    return { path, manifest };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = readArguments(USAGE, {
    options: {
      to: { type: 'string' },
      'without-secrets': { type: 'boolean', default: false },
      'encrypt-to': { type: 'string', multiple: true, default: [] },
      'figure-to': { type: 'string' },
      'new-identity': { type: 'string' },
    },
  });
  if (values['new-identity']) {
    const recipient = await writeIdentity(resolveDir(values['new-identity']));
    say(
      `${recipient}\nBackups with --encrypt-to ${recipient}\ncan only be read with that file. Keep it away from the backups, twice.`,
    );
    return;
  }
  // In production the secrets are in the environment. A backup needs none, so this skips the check for them.
  const settings = readSettings({ ...process.env, NODE_ENV: 'development' });
  const to = values.to ? resolveDir(values.to) : join(settings.dataDir, 'backups');
  const startedMs = Date.now();
  const order = { to, withSecrets: !values['without-secrets'] };
  const recipients = values['encrypt-to'];
  const isEncrypted = recipients.length > 0;
  const { path, manifest } = isEncrypted
    ? await backUpEncrypted(settings, order, recipients)
    : await backUp(settings, order);
  if (values['figure-to']) await writeBackupFigure(resolveDir(values['figure-to']), new Date(manifest.finishedAt));
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1);
  say(`\n${path}\n${manifest.files.length} files, ${formatBytes(bytes)}, ${seconds} s`);
  say(`It holds everything that was acknowledged until ${manifest.holdsUntil}.`);
  if (!values.to) say('It is on the same disk as the data: copy it elsewhere, or choose another place with --to.');
  if (!isEncrypted) say(aboutSecrets(manifest.hasSecrets));
}

function aboutSecrets(hasSecrets: boolean): string {
  return hasSecrets
    ? '\nIT CONTAINS THE SECRETS: the pepper of the PINs, the keys, the passwords of the databases. Anyone who has it has\n' +
        'everything. Encrypt it with --encrypt-to, or keep it out of reach of anyone who may not read the data.'
    : '\nIt has no secrets.json. Without the pepper and keys of this data directory (or of the environment) every PIN has\n' +
        'to be set again after a restore: keep them elsewhere.';
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort(new StartError('Interrupted; nothing was kept.')));
}
main().catch((error: unknown) => {
  console.error(error instanceof StartError ? `\n${error.message}` : error);
  process.exit(1);
});
