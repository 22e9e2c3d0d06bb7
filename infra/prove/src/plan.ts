import type { Random } from './random.ts';

/** One fault, at its time. The same seed and length yield the same plan. */
export interface PlannedFault {
  atMs: number;
  kind: string;
  /** Its group: faults of one group follow each other, groups run in parallel. */
  lane: number;
  /** A random number for faults that need a duration, a count or a choice. */
  draw: number;
  /** Injected even if its lane was busy until the end of the proof. */
  isOwed?: boolean;
}

export interface FaultGroup {
  kinds: readonly string[];
  /** Mean pause between two faults of the group. */
  everyMs: number;
}

export function makePlan(groups: readonly FaultGroup[], lengthMs: number, random: Random): PlannedFault[] {
  const plan = groups.flatMap(({ kinds, everyMs }, lane) => {
    if (kinds.length === 0) return [];
    const own = random.fork(`faults ${lane}`);
    const faults: PlannedFault[] = [];
    // In rounds, so that a short proof has every kind before any kind twice.
    let round: string[] = [];
    for (let atMs = everyMs / 2; atMs < lengthMs; atMs += everyMs * (0.5 + own.next())) {
      if (round.length === 0) round = shuffled(kinds, own);
      faults.push({ atMs: Math.round(atMs), kind: round.pop() ?? '', lane, draw: own.next() });
    }
    return faults;
  });
  return plan.sort((a, b) => a.atMs - b.atMs);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.between(0, left.length - 1), 1)[0] as T);
}
