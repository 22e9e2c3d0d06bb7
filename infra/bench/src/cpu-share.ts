import { readFileSync } from 'node:fs';

/** Busy and total jiffies of the whole machine since boot. Undefined if the system does not report them. */
function readCpu(): { busy: number; all: number } | undefined {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.trim().split(/\s+/).slice(1).map(Number) ?? [];
    const all = fields.reduce((sum, field) => sum + field, 0);
    return { all, busy: all - (fields[3] ?? 0) - (fields[4] ?? 0) };
  } catch {
    return undefined;
  }
}

/**
 * Measures how busy the machine is between this call and the call of the returned function, as a share of all cores.
 */
export function measureCpu(): () => number | null {
  const before = readCpu();
  return () => {
    const after = readCpu();
    if (!before || !after || after.all === before.all) return null;
    return Math.round(((after.busy - before.busy) / (after.all - before.all)) * 100) / 100;
  };
}
