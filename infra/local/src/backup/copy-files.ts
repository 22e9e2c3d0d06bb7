import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackedUpFile } from './manifest.ts';

const CHUNK_BYTES = 1024 * 1024;

/** The contents of a directory, by relative path. */
export interface Listing {
  directories: string[];
  files: { path: string; bytes: number }[];
}

/**
 * Walks a directory that changes meanwhile: entries that disappear during the walk are omitted. `omits` is called for
 * each path.
 */
export async function listFiles(root: string, omits: (path: string) => boolean = () => false): Promise<Listing> {
  const listing: Listing = { directories: [], files: [] };
  // The array grows during the walk.
  const directories = [''];
  for (const dir of directories) {
    const entries = (await readdir(join(root, dir), { withFileTypes: true }).catch(ignoreGone)) ?? [];
    for (const entry of entries) {
      const path = dir ? `${dir}/${entry.name}` : entry.name;
      if (omits(path)) continue;
      if (entry.isDirectory()) directories.push(path);
      else listing.files.push(...(await describeFile(root, path)));
    }
  }
  listing.directories = directories.slice(1);
  return listing;
}

async function describeFile(root: string, path: string): Promise<Listing['files']> {
  const found = await lstat(join(root, path)).catch(ignoreGone);
  if (!found) return [];
  // A link leads out of the cluster, for example to a tablespace.
  if (!found.isFile()) throw new Error(`${join(root, path)} is neither a file nor a directory; it cannot be backed up`);
  return [{ path, bytes: found.size }];
}

function ignoreGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/**
 * Copies a file and flushes it to disk, readable only by its owner. Returns size and hash; undefined if the file no
 * longer exists. Throws if the target exists.
 */
export async function copyFile(
  from: string,
  to: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Omit<BackedUpFile, 'path'> | undefined> {
  const source = await open(from, 'r').catch(ignoreGone);
  if (!source) return undefined;
  try {
    const target = await open(to, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      const bytes = await pump({ source, target, hash, onBytes });
      await target.sync();
      return { bytes, sha256: hash.digest('hex') };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

interface Pump {
  source: FileHandle;
  target: FileHandle;
  hash: Hash;
  onBytes: (bytes: number) => void;
}

async function pump({ source, target, hash, onBytes }: Pump): Promise<number> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let total = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return total;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await target.writeFile(chunk);
    total += bytesRead;
    onBytes(bytesRead);
  }
}

/** Writes a small file and flushes it to disk, readable only by its owner. */
export async function writeDurably(path: string, content: string | Buffer): Promise<void> {
  const target = await open(path, 'wx', 0o600);
  try {
    await target.writeFile(content);
    await target.sync();
  } finally {
    await target.close();
  }
}

/** Flushes a directory's names to disk. Windows has no such operation. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a directory completely or not at all: until `fill` has finished, its name ends in `.partial`, and a failed
 * one is removed.
 */
export async function makeWhole<T>(path: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 });
  try {
    const filled = await fill(draft);
    await rename(draft, path);
    await syncDirectory(dirname(path));
    return filled;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Size and hash of a file on disk. */
export async function hashFile(path: string): Promise<Omit<BackedUpFile, 'path'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

const AT_ONCE = 16;

/**
 * Processes the items concurrently, so that waiting for the disk overlaps. After a failure, waits for work in flight
 * and throws the first error.
 */
export async function forEachAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]();
  let failure: { reason: unknown } | undefined;
  async function takeOn(): Promise<void> {
    for (let next = left.next(); !next.done && !failure; next = left.next()) {
      await work(next.value).catch((reason: unknown) => {
        failure ??= { reason };
      });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeOn));
  if (failure) throw failure.reason;
}
