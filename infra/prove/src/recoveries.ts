import type { Struck } from './bundle.ts';
import { isFeltByAll } from './faults.ts';

export interface Recovery {
  kind: string;
  ms: number;
  /** No fault that every process feels overlapped it, so that it measures this fault only. */
  isAlone: boolean;
}

/** A fault, and the time until everything affected answered again, ms; null if it affected no service of ours. */
export type Healed = Struck & { recoveredMs: number | null };

/** The time to recover of each fault that has one, in ascending order. */
export function recoveriesOf(struck: readonly Healed[]): Recovery[] {
  const recoveries = struck.flatMap((fault) => {
    const { kind, recoveredMs } = fault;
    if (recoveredMs === null) return [];
    return [{ kind, ms: Math.round(recoveredMs), isAlone: !struck.some((other) => isFeltDuring(other, fault)) }];
  });
  return recoveries.sort((a, b) => a.ms - b.ms);
}

const isFeltDuring = (other: Struck, fault: Struck) =>
  other !== fault && isFeltByAll(other.kind) && other.from < fault.to && fault.from < other.to;
