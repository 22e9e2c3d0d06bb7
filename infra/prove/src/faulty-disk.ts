import { execFile } from 'node:child_process';
import { chown, mkdir, open, readdir, readFile, realpath, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DataPlace } from '@vuka/embedded-postgres';

const LIBRARY = fileURLToPath(new URL('../disk/faulty-disk.c', import.meta.url));
/** As in `faulty-disk.c`, in this order. */
const MODES = ['sound', 'full', 'slow', 'writes fail', 'syncs fail'] as const;
const CONTROL_BYTES = 8;
/** Offset, length of what was replaced, and size of the file before, of each record. */
const HEAD_BYTES = 24;

/** The disk of one server, below its processes: a library that they load. */
export interface FaultyDisk {
  /** The settings of the server's processes. */
  env: Record<string, string>;
  /** In mode `slow` the figure is the delay before each sync, ms; in the failing modes one in so many calls fails. */
  set(mode: (typeof MODES)[number], figure?: number): Promise<void>;
  /** Undoes unsynced writes, as a power failure would. The server must have ended. Returns the number of files. */
  losePower(): Promise<number>;
}

/** Undefined where the library cannot be compiled or loaded. On Debian and Ubuntu: "apt-get install gcc libc6-dev". */
export async function createFaultyDisk({ base, user }: DataPlace): Promise<FaultyDisk | undefined> {
  const dir = join(base, 'disk');
  const [library, control, undo] = [join(dir, 'faulty-disk.so'), join(dir, 'control'), join(dir, 'undo')];
  await mkdir(undo, { recursive: true });
  if (!(await compile(library))) return undefined;
  await writeFile(control, Buffer.alloc(CONTROL_BYTES), { mode: 0o644 });
  const set: FaultyDisk['set'] = async (mode, figure = 0) => {
    const text = Buffer.alloc(CONTROL_BYTES);
    text.writeInt32LE(MODES.indexOf(mode), 0);
    text.writeInt32LE(figure, 4);
    // Written in place: the server's processes have mapped this file into memory.
    await writeFile(control, text, { flag: 'r+' });
  };
  if (user) for (const path of [dir, undo]) await chown(path, user.uid, user.gid);
  const data = join(await realpath(base), 'cluster');
  return {
    env: { LD_PRELOAD: library, FAULTY_DISK_CONTROL: control, FAULTY_DISK_DATA: data, FAULTY_DISK_UNDO: undo },
    set,
    losePower: () => undoUnsynced(data, undo),
  };
}

async function compile(library: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const flags = ['-shared', '-fPIC', '-O2', '-o', library, LIBRARY, '-ldl'];
  return promisify(execFile)('cc', flags).then(
    () => true,
    () => false,
  );
}

/** Files that are undone at once: one after the other, each call would wait for the load of a whole proof. */
const AT_ONCE = 64;

async function undoUnsynced(data: string, logs: string): Promise<number> {
  const paths = new Map<string, string>();
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  await forEachFile(files, async (path) => void paths.set(String((await stat(path)).ino), path));
  let undone = 0;
  await forEachFile(await readdir(logs), async (inode) => {
    const log = await readFile(join(logs, inode));
    const path = paths.get(inode);
    if (path && log.length > 0) {
      await undoWrites(path, log);
      undone += 1;
    }
    await rm(join(logs, inode));
  });
  return undone;
}

async function forEachFile(names: readonly string[], act: (name: string) => Promise<void>): Promise<void> {
  for (let from = 0; from < names.length; from += AT_ONCE)
    await Promise.all(names.slice(from, from + AT_ONCE).map(act));
}

async function undoWrites(path: string, log: Buffer): Promise<void> {
  const writes: { offset: number; replaced: Buffer; sizeBefore: number }[] = [];
  for (let at = 0; at + HEAD_BYTES <= log.length; ) {
    const [offset, length, sizeBefore] = [0, 8, 16].map((field) => Number(log.readBigInt64LE(at + field))) as [
      number,
      number,
      number,
    ];
    writes.push({ offset, replaced: log.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length), sizeBefore });
    at += HEAD_BYTES + length;
  }
  const file = await open(path, 'r+');
  try {
    for (const { offset, replaced } of writes.toReversed()) await file.write(replaced, 0, replaced.length, offset);
  } finally {
    await file.close();
  }
  await truncate(path, writes[0]?.sizeBefore);
}
