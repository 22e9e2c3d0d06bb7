import type { QueueDeclaration, ServiceRights, Topology } from '@vuka/contracts/topology';

/** An exchange as the broker knows it. */
interface BrokerExchange {
  name: string;
  type: 'topic' | 'fanout' | 'direct';
  arguments: Record<string, string>;
}

interface BrokerQueue {
  name: string;
  arguments: Record<string, string | number>;
}

interface BrokerBinding {
  source: string;
  destination: string;
  routingKey: string;
}

/** Everything that the broker stores for a topology. */
export interface BrokerTopology {
  exchanges: BrokerExchange[];
  queues: BrokerQueue[];
  bindings: BrokerBinding[];
}

/**
 * A quorum queue of RabbitMQ 4 drops a message at its 21st return by default; dead messages must survive any number
 * of looks.
 */
const DEAD_DELIVERY_LIMIT = 1_000_000;
const QUORUM = { 'x-queue-type': 'quorum' };
/** All of these are needed, or the broker silently dead-letters at most once. */
const AT_LEAST_ONCE = { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' };

/** The direct exchange through which a service returns its own messages to retry and dead-letter queues. */
export function settleExchangeOf(queue: string): string {
  return `${queue.split('.')[0]}.settle`;
}

export function retryQueueOf(queue: string, delayMs: number): string {
  return `${queue}.retry.${durationLabel(delayMs)}`;
}

export function deadLetterQueueOf(queue: string): string {
  return `${queue}.dlq`;
}

/** `5s`, `2m`, `150ms`: the largest unit that leaves a whole number. */
function durationLabel(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

/** Adds what the declaration leaves out: retry and dead-letter queues, settle exchanges and arguments. */
export function expandTopology(topology: Topology): BrokerTopology {
  const settled = topology.queues.filter(({ maxLength }) => maxLength === undefined);
  const settleExchanges = [...new Set(settled.map(({ name }) => settleExchangeOf(name)))];
  const parts = topology.queues.map(expandQueue);
  return {
    exchanges: [
      ...topology.exchanges.map(({ name, type, alternate }) => ({
        name,
        type,
        arguments: alternate === undefined ? {} : { 'alternate-exchange': alternate },
      })),
      ...settleExchanges.map((name) => ({ name, type: 'direct' as const, arguments: {} })),
    ],
    queues: parts.flatMap(({ queues }) => queues),
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}

function expandQueue(queue: QueueDeclaration): { queues: BrokerQueue[]; bindings: BrokerBinding[] } {
  const { name, maxLength } = queue;
  const bindings = queue.bindings.map(({ exchange, key }) => ({
    source: exchange,
    destination: name,
    routingKey: key,
  }));
  if (maxLength !== undefined) {
    const bounded = { ...QUORUM, 'x-max-length': maxLength, 'x-overflow': 'drop-head' };
    return { queues: [{ name, arguments: bounded }], bindings };
  }
  const settle = settleExchangeOf(name);
  const returnsTo = (key: string) => ({
    'x-dead-letter-exchange': settle,
    'x-dead-letter-routing-key': key,
    ...AT_LEAST_ONCE,
  });
  const dead = deadLetterQueueOf(name);
  const retries = [...new Set(queue.retryDelaysMs)].map((delayMs) => ({
    name: retryQueueOf(name, delayMs),
    arguments: { ...QUORUM, 'x-message-ttl': delayMs, ...returnsTo(name) },
  }));
  const queues = [
    { name, arguments: { ...QUORUM, ...returnsTo(dead) } },
    ...retries,
    { name: dead, arguments: { ...QUORUM, 'x-delivery-limit': DEAD_DELIVERY_LIMIT } },
  ];
  const settling = queues.map((one) => ({ source: settle, destination: one.name, routingKey: one.name }));
  return { queues, bindings: [...bindings, ...settling] };
}

/** The names that a service uses, and may therefore check without the right to configure. */
export function namesOf(topology: Topology, rights: ServiceRights): { exchanges: string[]; queues: string[] } {
  const consumed = topology.queues.filter(({ name }) => rights.consumes.includes(name));
  const tended = rights.tendsDead ? topology.queues.filter(({ maxLength }) => maxLength === undefined) : [];
  const settle = [...consumed, ...tended].map(({ name }) => settleExchangeOf(name));
  const own = consumed.flatMap((queue) => expandQueue(queue).queues.map(({ name }) => name));
  return {
    exchanges: [...new Set([...rights.publishes, ...settle])],
    queues: [...new Set([...own, ...tended.map(({ name }) => deadLetterQueueOf(name))])],
  };
}
