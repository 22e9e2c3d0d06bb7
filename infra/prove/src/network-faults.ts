import { setTimeout as delay } from 'node:timers/promises';
import { PROVIDER } from '@vuka/local/testing/fleet';
import type { TcpProxy } from '@vuka/test-kit/tcp-proxy';
import type { Inject, Installation } from './installation.ts';
import { lengthOf } from './random.ts';

/** Who calls whom about money, sessions and prices. */
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

const WAYS: Record<string, Way> = {
  'between services'({ links }, draw) {
    const [caller, callee] = NEIGHBOURS[Math.floor(draw * NEIGHBOURS.length)] ?? NEIGHBOURS[0];
    return links.between(caller, callee);
  },
  'to the provider': ({ links }) => links.between('transfers-worker', PROVIDER),
  'of callbacks': async ({ provider }) => provider.callbacks,
};

/** A fraction that says nothing about the draw's size, for a second choice. */
const otherDraw = (draw: number) => (draw * 997) % 1;

type Disturb = (proxy: TcpProxy, draw: number) => void;

const DISTURBANCES: Record<string, Disturb> = {
  // Half of it in each direction.
  slow: (proxy, draw) => proxy.slow(lengthOf(draw, 50, 1_500) / 2),
  'requests lost': (proxy) => proxy.dropRequests(),
  'answers lost': (proxy) => proxy.dropAnswers(),
  'requests twice at once': (proxy) => proxy.repeatPosts(),
  'requests again later': (proxy, draw) => proxy.repeatPosts(lengthOf(draw, 100, 2_000)),
};
/** A connection that lost bytes is of no more use. */
const LOSES_BYTES = /lost/;

function disturb(what: string, way: Way): Inject {
  return async (installation, draw) => {
    const proxy = await way(installation, draw);
    DISTURBANCES[what]?.(proxy, otherDraw(draw));
    await delay(lengthOf(otherDraw(draw), 1_000, 8_000));
    if (LOSES_BYTES.test(what)) proxy.cut();
    proxy.restore();
    return null;
  };
}

/** Networks between two processes that are slow, lose one direction, or deliver requests twice. */
export const NETWORK: Record<string, Inject> = Object.fromEntries(
  Object.entries(WAYS).flatMap(([place, way]) =>
    Object.keys(DISTURBANCES).map((what) => [`network ${place}: ${what}`, disturb(what, way)] as const),
  ),
);
