import { setTimeout as delay } from 'node:timers/promises';
import type { TcpProxy } from '@vuka/test-kit/tcp-proxy';
import type { Inject } from './installation.ts';
import type { PostgresPair } from './postgres-pair.ts';
import { PROCESSES, untilReady } from './processes.ts';
import { lengthOf, otherDraw } from './random.ts';
import { ofServer } from './server-faults.ts';
import type { BreakablePostgres } from './servers.ts';

interface OfPair {
  /** What happens before the time to recover begins. */
  first?(pair: PostgresPair, draw: number): Promise<unknown>;
  /** The time to recover runs from its start until every process is ready. */
  act(pair: PostgresPair, postgres: BreakablePostgres): Promise<unknown>;
  /** What the operator does when the product works again. */
  last?(pair: PostgresPair): Promise<unknown>;
}

function breakPair({ first, act, last }: OfPair): Inject {
  return (broken, draw) =>
    ofServer(broken, 'postgres', async (postgres) => {
      const { pair } = postgres;
      if (!pair) throw new Error('this proof has no standby');
      await first?.(pair, draw);
      const startedMs = performance.now();
      await act(pair, postgres);
      await untilReady(broken, PROCESSES);
      const recoveredMs = performance.now() - startedMs;
      await last?.(pair);
      return recoveredMs;
    });
}

/** Cuts off the standby, so that commits wait for it when the primary is lost. */
async function separate({ replication }: PostgresPair, draw: number): Promise<void> {
  replication.cut();
  await delay(lengthOf(draw, 1_000, 4_000));
}

const rebuild = (pair: PostgresPair) => pair.rebuildStandby();

const SERVERS: Record<string, OfPair> = {
  'kill primary of postgres, promote its standby': { act: (pair) => pair.failOver(), last: rebuild },
  'separate primary of postgres from its standby, then promote that': {
    first: separate,
    async act(pair) {
      await pair.failOver();
      pair.replication.restore();
    },
    last: rebuild,
  },
  'switch over to the standby of postgres, all connections cut': {
    async act(pair, { proxy }) {
      proxy.cut();
      await pair.switchOver().finally(() => proxy.restore());
    },
  },
  'stop standby of postgres': {
    async first(pair, draw) {
      await pair.standby().shutDown();
      await delay(lengthOf(draw, 500, 6_000));
    },
    act: (pair) => pair.standby().start(),
  },
  'kill standby of postgres': {
    first: (pair) => pair.standby().kill(),
    act: (pair) => pair.standby().start(),
  },
  'kill primary and standby of postgres': {
    act: (pair) => restartBoth(pair),
  },
};

async function restartBoth(pair: PostgresPair): Promise<void> {
  const both = [pair.standby(), pair.primary()];
  await Promise.all(both.map((node) => node.kill()));
  await Promise.all(both.map((node) => node.start()));
}

/** Commits wait for the standby, so that each of these delays them. */
const REPLICATION: Record<string, (proxy: TcpProxy, draw: number) => void> = {
  cut: (proxy) => proxy.cut(),
  silent: (proxy) => proxy.pause(),
  slow: (proxy, draw) => proxy.slow(lengthOf(draw, 10, 300)),
  starved: (proxy, draw) => proxy.starve(lengthOf(draw, 20_000, 200_000)),
};

const disturbed = (disturb: (proxy: TcpProxy, draw: number) => void): OfPair => ({
  async first({ replication }, draw) {
    disturb(replication, otherDraw(draw));
    await delay(lengthOf(draw, 500, 6_000));
  },
  act: async ({ replication }) => replication.restore(),
});

/** Faults of a primary and its standby. */
export const PAIR_FAULTS: Record<string, Inject> = Object.fromEntries([
  ...Object.entries(SERVERS).map(([kind, fault]) => [kind, breakPair(fault)]),
  ...Object.entries(REPLICATION).map(([what, disturb]) => [
    `network between primary and standby of postgres: ${what}`,
    breakPair(disturbed(disturb)),
  ]),
]);
