import { setTimeout as delay } from 'node:timers/promises';
import type { FaultyDisk } from './faulty-disk.ts';
import type { Inject } from './installation.ts';
import { PROCESSES, untilReady } from './processes.ts';
import { lengthOf, otherDraw } from './random.ts';
import { ofServer } from './server-faults.ts';

type Mode = Parameters<FaultyDisk['set']>[0];

/** The disk fails for a while; `least` and `most` are bounds of the mode's figure. */
function failing(mode: Mode, [least, most]: [number, number]): Inject {
  return (broken, draw) =>
    ofServer(broken, 'postgres', async (postgres) => {
      await postgres.disk?.set(mode, lengthOf(otherDraw(draw), least, most));
      await delay(lengthOf(draw, 500, 8_000));
      await postgres.disk?.set('sound');
      const startedMs = performance.now();
      await postgres.recover();
      await untilReady(broken, PROCESSES);
      return performance.now() - startedMs;
    });
}

const cutPower: Inject = (broken) =>
  ofServer(broken, 'postgres', async (postgres) => {
    const startedMs = performance.now();
    await postgres.cutPower();
    await untilReady(broken, PROCESSES);
    return performance.now() - startedMs;
  });

/** Faults of the disk of the product's Postgres. Possible where the faulty disk can be compiled. */
export const DISK_FAULTS: Record<string, Inject> = {
  'disk of postgres full': failing('full', [0, 0]),
  'disk of postgres slow': failing('slow', [20, 1_000]),
  'writes to the disk of postgres fail': failing('writes fail', [1, 40]),
  'syncs of the disk of postgres fail': failing('syncs fail', [1, 20]),
  'power cut of postgres, writes that were not synced lost': cutPower,
};
