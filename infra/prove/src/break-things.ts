import { setTimeout as delay } from 'node:timers/promises';
import type { Struck } from './bundle.ts';
import { inject } from './faults.ts';
import type { History } from './history.ts';
import type { Installation } from './installation.ts';
import type { PlannedFault } from './plan.ts';
import { type Healed, type Recovery, recoveriesOf } from './recoveries.ts';
import { within } from './within.ts';

export interface Broken {
  /** How often each kind was injected. */
  faults: Record<string, number>;
  /** In ascending order. */
  recoveries: Recovery[];
  struck: Struck[];
}

const PROGRESS_MS = 10_000;

/** Injects the plan: each fault at its time, or once the previous one in its lane is healed. */
export async function breakThings(
  installation: Installation,
  plan: readonly PlannedFault[],
  { lengthMs, say }: { lengthMs: number; say(line: string): void },
  history: History,
): Promise<Broken> {
  const startedMs = performance.now();
  const struck: Healed[] = [];
  const lanes = new Map<number, Promise<void>>();
  const inForce = new Set<string>();
  // Twice the patience: a fault may first have to wait for a server that another fault stopped.
  const longestMs = 2 * installation.patienceMs;
  const strike = async (fault: PlannedFault) => {
    // A long fault kept its lane busy until the end of the proof.
    if (!fault.isOwed && performance.now() - startedMs > lengthMs) return;
    const from = new Date().toISOString();
    inForce.add(fault.kind);
    // A fault that never heals is reported as a finding; it must not keep the proof from ending.
    const recoveredMs = await within(inject(installation, fault), longestMs).catch((error: Error) => {
      history.surprises.push(`${fault.kind}: ${error.message}`);
      return null;
    });
    inForce.delete(fault.kind);
    struck.push({ kind: fault.kind, from, to: new Date().toISOString(), recoveredMs });
  };
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    // The last faults may heal after the end of the proof.
    const left = seconds * 1_000 > lengthMs ? `; in force: ${[...inForce].join('; ')}` : '';
    say(`  ${seconds} s: ${history.orders.length} orders, ${struck.length} faults${left}`);
  }, PROGRESS_MS);
  try {
    for (const fault of plan) {
      const waitMs = startedMs + fault.atMs - performance.now();
      if (waitMs > 0) await delay(waitMs);
      const before = lanes.get(fault.lane) ?? Promise.resolve();
      lanes.set(
        fault.lane,
        before.then(() => strike(fault)),
      );
    }
    await Promise.all(lanes.values());
    const restMs = startedMs + lengthMs - performance.now();
    if (restMs > 0) await delay(restMs);
  } finally {
    clearInterval(progress);
  }
  return { faults: countsOf(struck), struck, recoveries: recoveriesOf(struck) };
}

function countsOf(struck: readonly Struck[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of struck) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
