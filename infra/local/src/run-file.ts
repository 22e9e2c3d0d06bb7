import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivately } from './secrets.ts';

/** What `run.json` of the data directory says while the product runs. Private, since the addresses hold passwords. */
export interface RunFile {
  pid: number;
  /** True once everything answered and the demo data is there. */
  ready: boolean;
  startedAt: string;
  url: string;
  metricsUrl: string;
  /** The Postgres server as its administrator. */
  serverUrl: string;
  services: Record<string, { pid: number | null; port: number; databaseUrl: string }>;
}

const fileIn = (dataDir: string) => join(dataDir, 'run.json');

export function writeRunFile(dataDir: string, run: RunFile): Promise<void> {
  return writePrivately(fileIn(dataDir), `${JSON.stringify(run, null, 2)}\n`);
}

/** Undefined where nothing runs. A run that was killed leaves its file, so `pid` may be gone. */
export async function readRunFile(dataDir: string): Promise<RunFile | undefined> {
  return readFile(fileIn(dataDir), 'utf8').then(JSON.parse, () => undefined);
}

export async function removeRunFile(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}
