import { SERVICES } from '@vuka/local/testing/fleet';
import type { Inject } from './installation.ts';
import type { PlannedFault } from './plan.ts';
import { replaceProcesses } from './processes.ts';

const upgraded = (service: string) => `upgrade ${service}`;
const steppedBack = (service: string) => `step back ${service}`;

/** Each process of a service is replaced by one of this checkout, or of the release before. */
export const UPGRADES: Record<string, Inject> = Object.fromEntries(
  SERVICES.flatMap((service) => [
    [upgraded(service), replaceProcesses([service])] as const,
    [steppedBack(service), (broken, draw) => replaceProcesses([service], broken.before?.root)(broken, draw)] as const,
  ]),
);

/** The parts of a proof in which the services are replaced. */
const [FROM, TO] = [0.1, 0.8];

/**
 * An upgrade, one rollback in reverse order, and another upgrade, one service at a time. Each step is owed, because a
 * half-finished upgrade would prove less.
 */
export function planUpgrade(lane: number, lengthMs: number): PlannedFault[] {
  const forward = SERVICES.map(upgraded);
  const kinds = [...forward, ...SERVICES.toReversed().map(steppedBack), ...forward];
  return kinds.map((kind, index) => ({
    atMs: Math.round(lengthMs * (FROM + ((TO - FROM) * index) / kinds.length)),
    kind,
    lane,
    draw: 0,
    isOwed: true,
  }));
}
