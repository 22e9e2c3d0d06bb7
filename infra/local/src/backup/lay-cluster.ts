import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataPlace, findDataBase } from '@vuka/embedded-postgres';
import { StartError } from '#start-settings.ts';
import { copyFile, forEachAtOnce, syncDirectory, writeDurably } from './copy-files.ts';
import { type BackedUpFile, CLUSTER, type Manifest, SERVER_PASSWORD } from './manifest.ts';
import { createProgress } from './progress.ts';

export interface Unpacking {
  backup: string;
  manifest: Manifest;
  /** The target of the cluster. */
  place: DataPlace;
  /** The current data directory, whose password is used if the backup has none. */
  current: string;
  say: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Copies a backup's cluster to a new place and verifies the hash of each file. Throws a StartError for one that
 * differs.
 */
export async function layCluster({ backup, manifest, place, current, say, signal }: Unpacking): Promise<void> {
  const inCluster = (path: string) => path === CLUSTER || path.startsWith(`${CLUSTER}/`);
  const files = manifest.files.filter(({ path }) => inCluster(path));
  const directories = manifest.directories.filter(inCluster);
  for (const path of [...directories, ...manifest.files.map((file) => file.path)]) refuseOutside(path);
  for (const dir of directories) {
    await mkdir(join(place.base, dir), { mode: 0o700 });
    await own(place, dir);
  }
  const progress = createProgress(
    'checked and copied',
    files.reduce((sum, { bytes }) => sum + bytes, 0),
    say,
  );
  await forEachAtOnce(files, async (file) => {
    signal.throwIfAborted();
    await copyChecked(backup, file, { to: join(place.base, file.path), onBytes: progress.add });
    await own(place, file.path);
  });
  await writeDurably(join(place.base, 'password'), await findPassword(backup, manifest, current));
  await own(place, 'password');
  for (const dir of [...directories, '.']) await syncDirectory(join(place.base, dir));
}

function refuseOutside(path: string): void {
  if (/^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)/i.test(path))
    throw new StartError(`The manifest names ${path}, outside the backup.`);
}

async function own({ base, user }: DataPlace, path: string): Promise<void> {
  if (user) await chown(join(base, path), user.uid, user.gid);
}

/** Copies a file of a backup. Throws a StartError if it is missing or its hash differs. */
export async function copyChecked(
  backup: string,
  { path, bytes, sha256 }: BackedUpFile,
  { to, onBytes }: { to: string; onBytes?: (bytes: number) => void },
): Promise<void> {
  const copied = await copyFile(join(backup, path), to, onBytes);
  if (!copied)
    throw new StartError(`${join(backup, path)} is missing. The backup is not restored; nothing was changed.`);
  if (copied.bytes === bytes && copied.sha256 === sha256) return;
  throw new StartError(
    `${join(backup, path)} is damaged: it is not the file that was backed up (SHA-256 differs).\n` +
      'The backup is not restored; nothing was changed. Take another backup, or another copy of this one.',
  );
}

async function findPassword(backup: string, manifest: Manifest, current: string): Promise<Buffer> {
  const isKept = manifest.files.some(({ path }) => path === SERVER_PASSWORD);
  const file = isKept ? join(backup, SERVER_PASSWORD) : join(await findDataBase(current), 'password');
  return readFile(file).catch((cause: Error) => {
    throw new StartError(
      `The backup was made without secrets, and ${file}, the password of its Postgres, is not here: put it there.`,
      { cause },
    );
  });
}
