import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const LARGEST_BYTES = 10 * 1024 * 1024;
const WARN_LEVEL = 40;
const LAST_LINES = 20;

export interface ServiceLog {
  /** Keeps what comes, and shows what an operator should see. */
  follow(stream: Readable): void;
  /** What came last, for an error. */
  tail(): string;
  close(): Promise<void>;
}

/** Everything goes to `<dir>/<name>.log`; warnings and worse to `show` as well, as one readable line each. */
export async function openLog(dir: string, name: string, show: (line: string) => void): Promise<ServiceLog> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, `${name}.log`);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LARGEST_BYTES) await rename(path, `${path}.1`);
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  file.on('error', () => undefined); // a full disk must not end the product
  const last: string[] = [];
  return {
    follow(stream) {
      let rest = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        file.write(chunk);
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) keepLine(line);
      });
      function keepLine(line: string) {
        last.push(line);
        if (last.length > LAST_LINES) last.shift();
        const shown = readableLine(line);
        if (shown !== undefined) show(`[${name}] ${shown}`);
      }
    },
    tail: () => last.join('\n'),
    close: () => endStream(file),
  };
}

/** A warning, an error, or what no logger wrote, such as the message of a crash; undefined for the rest. */
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

function endStream(file: WriteStream): Promise<void> {
  return new Promise((resolve) => file.end(resolve));
}
