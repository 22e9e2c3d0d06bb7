import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LARGEST_BYTES = 10 * 1024 * 1024;
const WARN_LEVEL = 40;
const LAST_LINES = 20;
const LOOK_EVERY_MS = 250;

export interface ServiceLog {
  /** The service writes to it directly, whether or not anyone reads the log. */
  fd: number;
  /** The last output, for an error. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

/**
 * A service writes to `<dir>/<name>.log` itself: a pipe to the supervisor would break when the supervisor is killed,
 * and a logger that cannot write keeps its process from ending. Warnings and errors are read from the file and passed
 * to `show`, one line each.
 */
export async function openLog(dir: string, name: string, show: (line: string) => void): Promise<ServiceLog> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, `${name}.log`);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LARGEST_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, 'a+', 0o600);
  const reader = createReader(file, (await file.stat()).size);
  const last: string[] = [];
  async function look() {
    for (const line of await reader()) {
      last.push(line);
      const shown = readableLine(line);
      if (shown !== undefined) show(`[${name}] ${shown}`);
    }
    last.splice(0, last.length - LAST_LINES);
  }
  let looking = Promise.resolve();
  const lookNow = () => {
    looking = looking.then(look).catch(() => undefined); // an unreadable log must not end the product
    return looking;
  };
  const timer = setInterval(lookNow, LOOK_EVERY_MS);
  return {
    fd: file.fd,
    async tail() {
      await lookNow();
      return last.join('\n');
    },
    async close() {
      clearInterval(timer);
      await lookNow();
      await file.close();
    },
  };
}

const CHUNK_BYTES = 256 * 1024;

/** Returns the complete lines that were added since the last call. */
function createReader(file: FileHandle, from: number): () => Promise<string[]> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let position = from;
  return async () => {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    const text = chunk.subarray(0, bytesRead);
    // Longer lines are skipped.
    const end = bytesRead === CHUNK_BYTES ? Math.max(text.lastIndexOf(10), 0) || bytesRead - 1 : text.lastIndexOf(10);
    position += end + 1;
    return end < 0 ? [] : text.subarray(0, end).toString('utf8').split('\n');
  };
}

/** A warning, an error, or a line not written by a logger, such as a crash; undefined for the rest. */
export function readableLine(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { level, msg, err } = (entry ?? {}) as { level?: unknown; msg?: unknown; err?: { message?: string } | string };
  if (typeof level !== 'number' || level < WARN_LEVEL) return undefined;
  const reason = typeof err === 'string' ? err : err?.message;
  return [msg, reason].filter((part) => typeof part === 'string' && part !== '').join(': ');
}
