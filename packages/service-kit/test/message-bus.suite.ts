import type { CloudEvent } from '@vuka/contracts/cloud-event';
import type { Topology } from '@vuka/contracts/topology';
import type { TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Delivery, MessageBus, OutgoingMessage } from '#messaging/message-bus.ts';

/** A dead message as an operator would see it. */
export interface DeadMessage {
  reason: string;
  id: string | undefined;
  routingKey: string;
}

interface BusOptions {
  proxy?: TcpProxy;
  assertTopology?: boolean;
  topology?: Topology;
  /** How long a handler may wait with a message; its consumer then keeps it for as long. */
  holdMs?: number;
}

/** What an adapter's test file provides: its own broker space, and access to the bus past the interface. */
export interface BusWorld {
  createBus(options?: BusOptions): MessageBus;
  createProxy(): Promise<TcpProxy>;
  /** Puts a body into a queue past the interface. */
  inject(queue: string, body: unknown): Promise<void>;
  deadMessages(queue: string): Promise<DeadMessage[]>;
  /** A queue that the declared topology contradicts. */
  mismatched: Topology;
  /** How long a message stays with a lost consumer. */
  crashRedeliveryMs: number;
  drop(): Promise<void>;
}

const RETRIES_MS = [200, 400];

function queue(name: string, keys: string[], exchange = 't.events') {
  return {
    name,
    bindings: keys.map((key) => ({ exchange, key })),
    retryDelaysMs: RETRIES_MS,
    deliveryLimit: 2,
  };
}

export const contractTopology: Topology = {
  exchanges: [
    { name: 't.commands', type: 'topic' },
    { name: 't.events', type: 'topic', alternate: 't.unrouted' },
    { name: 't.unrouted', type: 'fanout' },
  ],
  queues: [
    queue('a.orders', ['order.*.v1']),
    queue('a.everything', ['order.#']),
    queue('a.work', ['work.done.v1'], 't.commands'),
    queue('a.crash', ['crash.now.v1'], 't.commands'),
    queue('a.bulk', ['bulk.load.v1'], 't.commands'),
    { ...queue('t.unrouted', [''], 't.unrouted'), maxLength: 1000 },
  ],
  services: {
    a: { publishes: ['t.commands', 't.events'], consumes: ['a.orders', 'a.everything', 'a.work', 'a.crash', 'a.bulk'] },
  },
};

let lastNumber = 0;

export function message(routingKey: string, data: unknown = {}, exchange = 't.commands'): OutgoingMessage {
  lastNumber += 1;
  const envelope: CloudEvent = {
    specversion: '1.0',
    id: `01900000-0000-7000-8000-${String(lastNumber).padStart(12, '0')}`,
    source: '/test',
    type: routingKey,
    time: '2026-01-15T09:00:00.000Z',
    datacontenttype: 'application/json',
    data,
  };
  return { exchange, routingKey, envelope, requireRoute: true };
}

/** A bus in its environment, created before a suite and removed after it, with helpers. */
export interface BusSuite {
  world(): BusWorld;
  bus(): MessageBus;
  anotherBus(options?: Parameters<BusWorld['createBus']>[0]): Promise<MessageBus>;
  createProxy(): Promise<TcpProxy>;
  collect(queue: string, on?: MessageBus, prefetch?: number): Promise<{ got: Delivery[]; stop(): Promise<void> }>;
  countOf(queue: string, figure: 'ready' | 'dead' | 'delayed'): Promise<number | null>;
}

/** Registers the hooks of a suite. */
export function useBusSuite(createWorld: () => Promise<BusWorld>): BusSuite {
  let world: BusWorld;
  let bus: MessageBus;
  let buses: MessageBus[];
  let proxies: TcpProxy[];

  beforeAll(async () => {
    buses = [];
    proxies = [];
    world = await createWorld();
    bus = world.createBus();
    await bus.start();
  });

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((one) => one.close()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  });

  afterAll(async () => {
    await bus?.close();
    await world?.drop();
  });

  return {
    world: () => world,
    bus: () => bus,
    async anotherBus(options = {}) {
      const another = world.createBus(options);
      buses.push(another);
      await another.start();
      return another;
    },
    async createProxy() {
      const proxy = await world.createProxy();
      proxies.push(proxy);
      return proxy;
    },
    async collect(queue, on = bus, prefetch = 10) {
      const got: Delivery[] = [];
      const { stop } = await on.subscribe(queue, async (delivery) => void got.push(delivery), { prefetch });
      return { got, stop };
    },
    async countOf(queue, figure) {
      return (await bus.stats()).find((one) => one.queue === queue)?.[figure] ?? null;
    },
  };
}
