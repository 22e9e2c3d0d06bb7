import { type FileHandle, open, readFile } from 'node:fs/promises';

/** An append-only file whose lines survive the death of every process. */
export interface RecordFile {
  /** Resolves when the line is on disk. */
  append(line: object): Promise<void>;
}

/** Appends JSON, one value per line. Lines that arrive during a flush to disk are flushed together. */
export async function openRecord(path: string): Promise<RecordFile> {
  const file = await open(path, 'a');
  let waiting: string[] = [];
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    await Promise.resolve(); // collects lines that arrive in the same tick
    const lines = waiting;
    waiting = [];
    flushing = undefined;
    await writeDown(file, lines);
  }
  let last = Promise.resolve();
  return {
    append(line) {
      waiting.push(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
      if (!flushing) {
        flushing = last.then(flush);
        last = flushing;
      }
      return flushing;
    },
  };
}

async function writeDown(file: FileHandle, lines: string[]): Promise<void> {
  await file.appendFile(lines.join(''));
  await file.datasync();
}

/** Every line that was completely written. */
export async function readRecord<Line>(path: string): Promise<Line[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Line);
}
