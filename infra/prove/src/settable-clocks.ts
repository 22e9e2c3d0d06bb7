import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where distributions install libfaketime. */
const PLACES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.'].map((arch) =>
  join('/usr/lib', arch, 'faketime/libfaketime.so.1'),
);

/** Sets the wall clock of each of the product's processes, but not of the servers. Monotonic clocks are unaffected. */
export interface SettableClocks {
  /** The environment of the process on this port, and of its successors. */
  envOf(port: number): Record<string, string>;
  /**
   * Sets the clock of the process on this port, or of every process, this many seconds ahead of real time. Takes effect
   * within a second.
   */
  set(aheadSeconds: number, port?: number): Promise<void>;
  remove(): Promise<void>;
}

/** Undefined unless libfaketime is installed: on Debian and Ubuntu, "apt-get install libfaketime". */
export async function createSettableClocks(): Promise<SettableClocks | undefined> {
  const library = PLACES.find((place) => existsSync(place));
  if (!library) return undefined;
  const dir = await mkdtemp(join(tmpdir(), 'vuka-clock-'));
  const ports = new Set<number>();
  let everyones = 0;
  const fileOf = (port: number) => join(dir, String(port));
  return {
    envOf(port) {
      // A process that is started again keeps its clock.
      if (!ports.has(port)) writeFileSync(fileOf(port), textOf(everyones));
      ports.add(port);
      return {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: fileOf(port),
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
    },
    async set(aheadSeconds, port) {
      if (port === undefined) everyones = aheadSeconds;
      for (const each of port === undefined ? ports : [port]) {
        // Renamed into place, so that no process reads a partial file.
        const draft = `${fileOf(each)}.new`;
        await writeFile(draft, textOf(aheadSeconds));
        await rename(draft, fileOf(each));
      }
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

const textOf = (aheadSeconds: number) => `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}`;
