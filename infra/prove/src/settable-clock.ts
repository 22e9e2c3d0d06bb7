import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where distributions install libfaketime. */
const PLACES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.'].map((arch) =>
  join('/usr/lib', arch, 'faketime/libfaketime.so.1'),
);

/** The wall clock of every process of the product, but not of the servers. The monotonic clock is left as it is. */
export interface SettableClock {
  /** For the processes that follow it. */
  env: Record<string, string>;
  /** Sets it this many seconds ahead of the real time; they notice within a second. */
  set(aheadSeconds: number): Promise<void>;
  remove(): Promise<void>;
}

/** Undefined unless libfaketime is installed: on Debian and Ubuntu, "apt-get install libfaketime". */
export async function createSettableClock(): Promise<SettableClock | undefined> {
  const library = PLACES.find((place) => existsSync(place));
  if (!library) return undefined;
  const dir = await mkdtemp(join(tmpdir(), 'vuka-clock-'));
  const file = join(dir, 'offset');
  await writeFile(file, '+0');
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    async set(aheadSeconds) {
      // Renamed, so that no process reads half of it.
      const draft = `${file}.new`;
      await writeFile(draft, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}`);
      await rename(draft, file);
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
