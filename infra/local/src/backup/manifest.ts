import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartError } from '#start-settings.ts';

/** A file of a backup, by its path from the backup's directory. */
export interface BackedUpFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** The content of `manifest.json`. It is written last, so a backup with a manifest is complete. */
export interface Manifest {
  format: 1;
  /** Only an embedded Postgres is restored by `npm run restore`. */
  isEmbedded: boolean;
  postgresVersion: string;
  /** Such as `linux-x64`: the files of a cluster only work on one kind of machine. */
  machine: string;
  startedAt: string;
  /** Everything acknowledged until this time is in the backup. By the clock of Postgres, like all times here. */
  holdsUntil: string;
  /** Books can be restored to this time and, with an archive, to later ones. */
  finishedAt: string;
  startLsn: string;
  stopLsn: string;
  timeline: number;
  /** The prefix of its database names. */
  databasePrefix: string;
  /** Whether it contains the secrets of the data directory and the password of Postgres. */
  hasSecrets: boolean;
  directories: string[];
  files: BackedUpFile[];
}

export const CLUSTER = 'cluster';
/** An encrypted backup is one file: `age --decrypt --identity key.txt ... | tar --extract --gzip` opens it too. */
export const ENCRYPTED = '.tar.gz.age';
export const SECRETS = 'secrets.json';
export const SERVER_PASSWORD = 'postgres-password';
const MANIFEST = 'manifest.json';
const NAME = /^vuka-\d{8}-\d{6}$/;

/** A name for a backup, or for data put aside, from a time in UTC: `20261121-100000`. */
export function stampOf(at: Date): string {
  return at.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
}

export const backupName = (at: Date) => `vuka-${stampOf(at)}`;
export const manifestPath = (backup: string) => join(backup, MANIFEST);
export const machine = `${process.platform}-${process.arch}`;

/**
 * The backup in a directory, or the newest one below it that was finished by `at`. Throws a StartError for an
 * interrupted backup, and for a directory without one.
 */
export async function findBackup(dir: string, at?: Date): Promise<{ backup: string; manifest: Manifest }> {
  const names = await readdir(dir).catch((cause: Error) => {
    throw new StartError(`${dir} cannot be read: ${cause.message}`, { cause });
  });
  if (dir.endsWith('.partial')) throw new StartError(`${dir} was interrupted while it was made. It is no backup.`);
  if (names.includes(MANIFEST)) return { backup: dir, manifest: await readManifest(dir) };
  if (NAME.test(basename(dir))) throw new StartError(`${dir} has no ${MANIFEST}. It is no backup.`);
  for (const name of names
    .filter((each) => NAME.test(each))
    .sort()
    .reverse()) {
    const backup = join(dir, name);
    const manifest = await readManifest(backup);
    if (!at || Date.parse(manifest.finishedAt) <= at.getTime()) return { backup, manifest };
  }
  throw new StartError(`There is no backup in ${dir}${at ? ` that was finished by ${at.toISOString()}` : ''}.`);
}

/**
 * The encrypted backup that is at `from`, or the newest one below it, unless an unencrypted one is newer. With `at`, it
 * was begun before then.
 */
export async function findEncrypted(from: string, at?: Date): Promise<string | undefined> {
  if (from.endsWith(ENCRYPTED)) return from;
  const names = await readdir(from).catch(() => []);
  const candidates = names
    .filter((name) => NAME.test(basename(name, ENCRYPTED)) && (!at || basename(name, ENCRYPTED) <= backupName(at)))
    .sort();
  const newest = candidates.at(-1);
  return newest?.endsWith(ENCRYPTED) ? join(from, newest) : undefined;
}

async function readManifest(backup: string): Promise<Manifest> {
  try {
    const manifest = JSON.parse(await readFile(manifestPath(backup), 'utf8')) as Manifest;
    if (manifest.format === 1 && Array.isArray(manifest.files)) return manifest;
  } catch (cause) {
    throw new StartError(`The manifest of ${backup} cannot be read: ${(cause as Error).message}`, { cause });
  }
  throw new StartError(`The manifest of ${backup} is of another version of Vuka.`);
}
