import { setTimeout as delay } from 'node:timers/promises';
import { PROVIDER, SERVICES } from '@vuka/local/testing/fleet';
import type { TcpProxy } from '@vuka/test-kit/tcp-proxy';
import type { Inject, Installation } from './installation.ts';
import { lengthOf, otherDraw } from './random.ts';

/** Pairs of caller and callee, for money, sessions and prices. */
const NEIGHBOURS = [
  ['gateway', 'identity'],
  ['gateway', 'wallet'],
  ['gateway', 'transfers'],
  ['gateway', 'rates'],
  ['gateway', 'admin'],
  ['transfers', 'wallet'],
  ['transfers', 'rates'],
  ['transfers-worker', 'wallet'],
  ['transfers-worker', 'identity'],
  ['admin', 'transfers'],
  ['admin', 'identity'],
] as const;

type Way = (installation: Installation, draw: number) => Promise<TcpProxy>;

/** HTTP between two processes. */
const CALLS: Record<string, Way> = {
  'between services'({ links }, draw) {
    const [caller, callee] = NEIGHBOURS[Math.floor(draw * NEIGHBOURS.length)] ?? NEIGHBOURS[0];
    return links.between(caller, callee);
  },
  'to the provider': ({ links }) => links.between('transfers-worker', PROVIDER),
  'of callbacks': async ({ provider }) => provider.callbacks,
};

const toServer =
  (server: string): Way =>
  ({ links }, draw) =>
    links.between(SERVICES[Math.floor(draw * SERVICES.length)] ?? '', server);

/** The connections of one service to a server that the other services still reach. */
const SERVERS: Record<string, Way> = {
  'of one service to postgres': toServer('postgres'),
  'of one service to broker': toServer('broker'),
};

type Disturb = (proxy: TcpProxy, draw: number) => void;

const OF_CONNECTIONS: Record<string, Disturb> = {
  // Half of the delay in each direction.
  slow: (proxy, draw) => proxy.slow(lengthOf(draw, 50, 1_500) / 2),
  starved: (proxy, draw) => proxy.starve(lengthOf(draw ** 2, 5, 5_000)),
  forgotten: (proxy) => proxy.forget(),
  'requests lost': (proxy) => proxy.dropRequests(),
  'answers lost': (proxy) => proxy.dropAnswers(),
};
const OF_CALLS: Record<string, Disturb> = {
  'requests twice at once': (proxy) => proxy.repeatPosts(),
  'requests again later': (proxy, draw) => proxy.repeatPosts(lengthOf(draw, 100, 2_000)),
};
const OF_SERVERS: Record<string, Disturb> = {
  cut: (proxy) => proxy.cut(),
  silent: (proxy) => proxy.pause(),
};
/** A connection that lost bytes is unusable and is cut. */
const LOSES_BYTES = /lost/;

function disturb(what: string, way: Way, act: Disturb): Inject {
  return async (installation, draw) => {
    const proxy = await way(installation, draw);
    act(proxy, otherDraw(draw));
    await delay(lengthOf(otherDraw(draw), 1_000, 12_000));
    if (LOSES_BYTES.test(what)) proxy.cut();
    proxy.restore();
    return null;
  };
}

function faultsOf(ways: Record<string, Way>, disturbances: Record<string, Disturb>): Record<string, Inject> {
  return Object.fromEntries(
    Object.entries(ways).flatMap(([place, way]) =>
      Object.entries(disturbances).map(
        ([what, act]) => [`network ${place}: ${what}`, disturb(what, way, act)] as const,
      ),
    ),
  );
}

/** Faults of calls between two processes. */
export const CALL_FAULTS = faultsOf(CALLS, { ...OF_CONNECTIONS, ...OF_CALLS });
/** Faults between one service and one of its servers. */
export const CONNECTION_FAULTS = faultsOf(SERVERS, { ...OF_CONNECTIONS, ...OF_SERVERS });
