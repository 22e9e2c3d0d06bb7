import { faultsFor, type Possible, PROCESS_LANE } from './faults.ts';
import type { Installation } from './installation.ts';
import { canLimitMemory } from './memory-faults.ts';
import { makePlan, type PlannedFault } from './plan.ts';
import type { Random } from './random.ts';
import { planUpgrade } from './upgrade.ts';

interface PlanOptions {
  lengthMs: number;
  only?: readonly string[];
  /** How many times as often as usual faults come. */
  often?: number;
  say(line: string): void;
}

/** The faults of a proof on this machine, drawn from the seed. Those of an upgrade depend only on the length. */
export function planFaults(installation: Installation, options: PlanOptions, random: Random): PlannedFault[] {
  const { lengthMs, only = [], often = 1 } = options;
  const groups = faultsFor(possibleIn(installation, options), only).map(({ kinds, everyMs }) => ({
    kinds,
    everyMs: everyMs / often,
  }));
  const upgrade = installation.before ? planUpgrade(PROCESS_LANE, lengthMs) : [];
  return [...makePlan(groups, lengthMs, random.fork('plan')), ...upgrade].sort((a, b) => a.atMs - b.atMs);
}

/** Says what this machine lacks to inject every fault. */
function possibleIn({ clocks, postgres, broker, before }: Installation, { lengthMs, say }: PlanOptions): Possible {
  if (!clocks) say('Without libfaketime no clock is set: on Debian and Ubuntu, "apt-get install libfaketime".');
  if (!postgres.disk && !postgres.pair)
    say('Without a C compiler no disk fails: on Debian and Ubuntu, "apt-get install gcc libc6-dev".');
  return {
    lengthMs,
    hasClocks: clocks !== undefined,
    hasDisk: postgres.disk !== undefined,
    canLimitMemory: canLimitMemory(),
    hasBroker: broker !== undefined,
    isCluster: postgres.pair !== undefined,
    isUpgrade: before !== undefined,
  };
}
