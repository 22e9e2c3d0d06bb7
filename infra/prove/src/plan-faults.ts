import { faultsFor, type Possible } from './faults.ts';
import type { Installation } from './installation.ts';
import { canLimitMemory } from './memory-faults.ts';
import { makePlan, type PlannedFault } from './plan.ts';
import type { Random } from './random.ts';

interface PlanOptions {
  lengthMs: number;
  only?: readonly string[];
  /** How many times as often as usual faults come. */
  often?: number;
  say(line: string): void;
}

/** The faults of a proof on this machine, drawn from the seed. */
export function planFaults(installation: Installation, options: PlanOptions, random: Random): PlannedFault[] {
  const { lengthMs, only = [], often = 1 } = options;
  const groups = faultsFor(possibleIn(installation, options), only).map(({ kinds, everyMs }) => ({
    kinds,
    everyMs: everyMs / often,
  }));
  return makePlan(groups, lengthMs, random.fork('plan'));
}

/** Says what this machine lacks to inject every fault. */
function possibleIn({ clocks, postgres, broker }: Installation, { lengthMs, say }: PlanOptions): Possible {
  if (!clocks) say('Without libfaketime no clock is set: on Debian and Ubuntu, "apt-get install libfaketime".');
  if (!postgres.disk) say('Without a C compiler no disk fails: on Debian and Ubuntu, "apt-get install gcc libc6-dev".');
  return {
    lengthMs,
    hasClocks: clocks !== undefined,
    hasDisk: postgres.disk !== undefined,
    canLimitMemory: canLimitMemory(),
    hasBroker: broker !== undefined,
  };
}
