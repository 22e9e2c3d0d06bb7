import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@vuka/local/testing/fleet';
import { LONGEST_CLOCK_STEP_MS } from './fault-windows.ts';
import type { Inject } from './installation.ts';
import { pickProcess, untilReady } from './processes.ts';
import { lengthOf, otherDraw } from './random.ts';

const LONGEST_STEP_SECONDS = LONGEST_CLOCK_STEP_MS / 1_000;
const SHORTEST_STEP_SECONDS = 5;

const WAYS = { back: -1, ahead: 1 } as const;

/** Sets the clocks of all the product's processes at once. */
function setAll(way: keyof typeof WAYS): Inject {
  return async (broken, draw) => {
    await broken.clocks?.set(WAYS[way] * LONGEST_STEP_SECONDS);
    await delay(lengthOf(draw, 3_000, 20_000));
    await broken.clocks?.set(0);
    return untilReady(broken, SERVICES);
  };
}

/** Sets one process's clock while all others are right. Its neighbours tolerate a difference of four minutes. */
function setOne(service: string, way: keyof typeof WAYS): Inject {
  return async (broken, draw) => {
    const { port } = pickProcess(broken, service, draw);
    const seconds = lengthOf(draw ** 2, SHORTEST_STEP_SECONDS, LONGEST_STEP_SECONDS);
    await broken.clocks?.set(WAYS[way] * seconds, port);
    await delay(lengthOf(otherDraw(draw), 3_000, 15_000));
    await broken.clocks?.set(0, port);
    return untilReady(broken, [service]);
  };
}

const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];

/** Possible where clocks can be set. */
export const CLOCK_FAULTS: Record<string, Inject> = Object.fromEntries(
  ways.flatMap((way) => [
    [`clocks ${way} by 20 minutes`, setAll(way)] as const,
    ...SERVICES.map((service) => [`clock of ${service} ${way}`, setOne(service, way)] as const),
  ]),
);
