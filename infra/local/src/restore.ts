import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { acquireOwnerLock } from '@vuka/embedded-postgres/owner-lock';
import { readArguments } from '@vuka/service-kit/command-line';
import { decryptInto, readIdentities } from './backup/encrypted-archive.ts';
import { summarise } from './backup/later-facts.ts';
import { ENCRYPTED, findEncrypted } from './backup/manifest.ts';
import { readMoment } from './backup/moment.ts';
import { type Restored, restoreBackup } from './backup/restore-backup.ts';
import { bankStatementStep } from './backup/settle-restored-books.ts';
import { readSettings, resolveDir, StartError } from './start-settings.ts';

// `npm run restore -- --from <directory> [--at 2026-11-21T10:00:00Z] [--timeline <number>|latest] [--identity <file>]`,
// while the product is stopped.
const USAGE = `Usage: npm run restore -- --from <directory> [--at 2026-11-21T10:00:00Z] [--timeline <number>|latest]
                              [--identity <file>]`;
const stopping = new AbortController();
const say = (line: string) => console.log(line);

async function main(): Promise<boolean> {
  const { values } = readArguments(USAGE, {
    options: {
      from: { type: 'string' },
      at: { type: 'string' },
      timeline: { type: 'string' },
      identity: { type: 'string' },
    },
  });
  if (!values.from) throw new StartError('Name the backup: npm run restore -- --from <directory>');
  if (values.timeline && !/^(\d+|latest)$/.test(values.timeline))
    throw new StartError('--timeline is a number or latest.');
  const settings = readSettings({ ...process.env, NODE_ENV: 'development' });
  if (settings.databaseUrl) {
    throw new StartError(
      'DATABASE_URL is a Postgres of your own: its operator restores it, with its own tools. The steps, and what to do\n' +
        'afterwards, are in docs/runbooks/backup-and-restore.md.',
    );
  }
  await mkdir(settings.dataDir, { recursive: true });
  const lock = await acquireOwnerLock(settings.dataDir).catch((cause: Error) => {
    throw new StartError(`Vuka is running: ${cause.message}. Stop it first; nothing was changed.`, { cause });
  });
  const opened = join(settings.dataDir, 'backup-opened');
  try {
    const at = values.at === undefined ? undefined : readMoment(values.at);
    const identities = values.identity ? await readIdentities(resolveDir(values.identity)) : [];
    const from = await openIfEncrypted(resolveDir(values.from), { into: opened, identities, at });
    const restored = await restoreBackup({
      settings,
      from,
      at,
      timeline: values.timeline,
      say,
      signal: stopping.signal,
    });
    report(restored, { hasBroker: settings.amqpUrl !== undefined });
    return restored.holds;
  } finally {
    await rm(opened, { recursive: true, force: true });
    await lock.release();
  }
}

/** The directory of a backup; an encrypted one is opened beside the data, which it is going to replace. */
async function openIfEncrypted(
  from: string,
  { into, identities, at }: { into: string; identities: string[]; at: Date | undefined },
): Promise<string> {
  const file = await findEncrypted(from, at);
  if (!file) return from;
  if (identities.length === 0) throw new StartError(`${file} is encrypted: give --identity <file>.`);
  await rm(into, { recursive: true, force: true });
  const dir = join(into, basename(file, ENCRYPTED));
  say(`Opening ${file}...`);
  await decryptInto(dir, file, { identities, signal: stopping.signal });
  return dir;
}

function report({ since, holds, later, list, aside }: Restored, { hasBroker }: { hasBroker: boolean }): void {
  if (later) {
    say(`\nAcknowledged later, so missing from the restored books: ${later.length === 0 ? 'nothing' : ''}`);
    for (const line of summarise(later)) say(line);
  }
  say(`The list: ${list}`);
  if (aside) say(`The earlier data: ${aside}`);
  say(bankStatementStep(since));
  say('Every user has to sign in again.');
  if (hasBroker) {
    say('RabbitMQ still holds messages from after the restored moment: empty its queues before the start, as in');
    say('docs/runbooks/backup-and-restore.md#messages.');
  }
  if (holds) say('\nThe books hold. Next: npm start, and work through the list before merchants sign in.');
  else say('\nTHE AUDIT FOUND VIOLATIONS. Do not start before the cause is known; the earlier data is still there.');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort(new StartError('Interrupted; nothing was changed.')));
}
main().then(
  (holds) => process.exit(holds ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof StartError ? `\n${error.message}` : error);
    process.exit(1);
  },
);
