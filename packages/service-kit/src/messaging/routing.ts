import type { QueueDeclaration, Topology } from '@vuka/contracts/topology';

/** Whether a topic `pattern` matches a routing key: `*` is exactly one word, `#` is zero or more. */
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
 * The queues that take a message, each once; if none, the queues of the alternate exchange. Empty means unroutable;
 * an unknown exchange throws a RangeError.
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
