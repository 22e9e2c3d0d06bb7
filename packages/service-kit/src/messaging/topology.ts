import type { QueueDeclaration, Topology } from '#messaging/message-bus.ts';

export const COMMANDS = 'vuka.commands';
export const EVENTS = 'vuka.events';
/** Takes the events that nobody subscribes to, so that nothing vanishes. */
export const UNROUTED = 'vuka.unrouted';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DELIVERY_LIMIT = 10;

function events(name: string, keys: string[], retryDelaysMs: number[]): QueueDeclaration {
  return {
    name,
    bindings: keys.map((key) => ({ exchange: EVENTS, key })),
    retryDelaysMs,
    deliveryLimit: DELIVERY_LIMIT,
  };
}

/** Every exchange and queue of Vuka. `npm run topology` writes the broker's definitions from it. */
export const topology: Topology = {
  exchanges: [
    { name: COMMANDS, type: 'topic' },
    { name: EVENTS, type: 'topic', alternate: UNROUTED },
    { name: UNROUTED, type: 'fanout' },
  ],
  queues: [
    {
      name: 'transfers.execution',
      bindings: [
        { exchange: COMMANDS, key: 'transfer.execute.v1' },
        { exchange: COMMANDS, key: 'transfer.retry.v1' },
      ],
      retryDelaysMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
      deliveryLimit: DELIVERY_LIMIT,
    },
    events('transfers.pricing', ['rates.updated.v1'], [5 * SECOND_MS, 30 * SECOND_MS]),
    events('integration-log.calls', ['integration.calls-recorded.v1'], [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS]),
    events(
      'gateway.live-events',
      ['transfer.*.v1', 'wallet.balances-changed.v1', 'identity.sessions-ended.v1'],
      [5 * SECOND_MS, 30 * SECOND_MS],
    ),
    events(
      'admin.notifications',
      ['identity.signed-in.v1', 'transfer.settled.v1', 'transfer.failed.v1'],
      [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS],
    ),
    events('transfers.settings', ['settings.changed.v1'], [5 * SECOND_MS, 30 * SECOND_MS]),
    events('identity.settings', ['settings.changed.v1'], [5 * SECOND_MS, 30 * SECOND_MS]),
    events('admin.audit-trail', ['admin.action-recorded.v1'], [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS]),
    {
      name: UNROUTED,
      bindings: [{ exchange: UNROUTED, key: '' }],
      retryDelaysMs: [],
      deliveryLimit: DELIVERY_LIMIT,
      maxLength: 100_000,
    },
  ],
  services: {
    identity: { publishes: [EVENTS], consumes: ['identity.settings'] },
    wallet: { publishes: [EVENTS], consumes: [] },
    transfers: {
      publishes: [COMMANDS, EVENTS],
      consumes: ['transfers.execution', 'transfers.pricing', 'transfers.settings'],
    },
    rates: { publishes: [EVENTS], consumes: [] },
    admin: { publishes: [EVENTS], consumes: ['admin.audit-trail', 'admin.notifications'], tendsDead: true },
    'integration-log': { publishes: [EVENTS], consumes: ['integration-log.calls'] },
    gateway: { publishes: [COMMANDS], consumes: ['gateway.live-events'] },
  },
};

/** Whether a topic `pattern` takes a routing key: `*` is exactly one word, `#` is none or more. */
export function matchesRoutingKey(pattern: string, routingKey: string): boolean {
  return matchWords(pattern.split('.'), routingKey === '' ? [] : routingKey.split('.'));
}

function matchWords(pattern: string[], words: string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return words.length === 0;
  if (head === '#') return matchWords(rest, words) || (words.length > 0 && matchWords(pattern, words.slice(1)));
  return words.length > 0 && (head === '*' || head === words[0]) && matchWords(rest, words.slice(1));
}

/**
 * The queues that take a message, each once. Where none does, the queues of the alternate exchange. Empty means
 * unroutable; an unknown exchange throws a RangeError.
 */
export function routeMessage(declared: Topology, exchange: string, routingKey: string): string[] {
  const declaration = declared.exchanges.find(({ name }) => name === exchange);
  if (!declaration) throw new RangeError(`Exchange ${exchange} is not declared`);
  const takes = (key: string) => declaration.type === 'fanout' || matchesRoutingKey(key, routingKey);
  const queues = declared.queues
    .filter(({ bindings }) => bindings.some((binding) => binding.exchange === exchange && takes(binding.key)))
    .map(({ name }) => name);
  if (queues.length > 0 || declaration.alternate === undefined) return queues;
  return routeMessage(declared, declaration.alternate, routingKey);
}

/** The declaration of a queue; an unknown one throws a RangeError. */
export function queueOf(declared: Topology, name: string): QueueDeclaration {
  const queue = declared.queues.find((candidate) => candidate.name === name);
  if (!queue) throw new RangeError(`Queue ${name} is not declared`);
  return queue;
}
