import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then a process has loaded its modules and, at rest, little else to do. */
const AFTER_START_MS = 20_000;

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;

/**
 * Compacts the heap once, shortly after a start. Loading modules leaves twice as much memory as stays in use, and V8
 * returns it only when it allocates more, which a process at rest does not.
 */
export function compactHeapAfterStart(): void {
  setTimeout(() => void compactHeap(), AFTER_START_MS).unref();
}

/** Collects all garbage, and returns the free memory to the system. Blocks the process for tens of milliseconds. */
export async function compactHeap(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  await collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
}
