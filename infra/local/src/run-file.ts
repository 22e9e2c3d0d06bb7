import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivately } from './secrets.ts';

/**
 * The content of `run.json` in the data directory while the product is running. Private, since the addresses contain
 * passwords.
 */
export interface RunFile {
  pid: number;
  /** True once every service answered and the demo data is there. */
  ready: boolean;
  startedAt: string;
  url: string;
  metricsUrl: string;
  /** The Postgres server, as its administrator. */
  serverUrl: string;
  services: Record<string, { pid: number | null; port: number; databaseUrl: string }>;
}

const fileIn = (dataDir: string) => join(dataDir, 'run.json');

export function writeRunFile(dataDir: string, run: RunFile): Promise<void> {
  return writePrivately(fileIn(dataDir), `${JSON.stringify(run, null, 2)}\n`);
}

/** Undefined if nothing is running. A killed run leaves its file, so the process `pid` may no longer exist. */
export async function readRunFile(dataDir: string): Promise<RunFile | undefined> {
  return readFile(fileIn(dataDir), 'utf8').then(JSON.parse, () => undefined);
}

export async function removeRunFile(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}
