import { COMMANDS, EVENTS, topology, UNROUTED } from '@vuka/contracts/topology';
import { describe, expect, test } from 'vitest';
import { matchesRoutingKey, routeMessage } from '#messaging/routing.ts';

describe('a routing key matches a topic pattern word by word', () => {
  test.each([
    ['transfer.settled.v1', 'transfer.settled.v1', true],
    ['transfer.settled.v1', 'transfer.settled.v2', false],
    ['transfer.*.v1', 'transfer.settled.v1', true],
    ['transfer.*.v1', 'transfer.v1', false],
    ['transfer.*.v1', 'transfer.a.b.v1', false],
    ['transfer.*', 'transferXsettled', false],
    ['*', 'transfer', true],
    ['*', '', false],
    ['*', 'a.b', false],
    ['#', '', true],
    ['#', 'a.b.c', true],
    ['transfer.#', 'transfer', true],
    ['transfer.#', 'transfer.settled.v1', true],
    ['transfer.#', 'transfers.settled', false],
    ['#.v1', 'v1', true],
    ['#.v1', 'a.b.v1', true],
    ['#.v1', 'a.b.v2', false],
    ['a.#.d', 'a.d', true],
    ['a.#.d', 'a.b.c.d', true],
    ['a.#.b.#', 'a.c.b', true],
    ['#.#', 'a', true],
    ['*.#', 'a', true],
    ['a.*.#', 'a', false],
    ['a.b', 'a', false],
  ])('%s against %s: %s', (pattern, key, expected) => {
    expect(matchesRoutingKey(pattern, key)).toBe(expected);
  });
});

describe('the topology', () => {
  test('routes a transfer event once to every queue bound to it', () => {
    expect(routeMessage(topology, EVENTS, 'transfer.settled.v1')).toEqual([
      'gateway.live-events',
      'admin.notifications',
    ]);
    expect(routeMessage(topology, EVENTS, 'rates.updated.v1')).toEqual(['transfers.pricing']);
  });

  test('keeps an event that no queue is bound to', () => {
    expect(routeMessage(topology, EVENTS, 'merchant.renamed.v1')).toEqual([UNROUTED]);
  });

  test('reports a command that no queue takes', () => {
    expect(routeMessage(topology, COMMANDS, 'transfer.explode.v1')).toEqual([]);
  });

  test('binds queues to declared exchanges, and grants rights on declared names only', () => {
    const exchanges = topology.exchanges.map(({ name }) => name);
    const queues = topology.queues.map(({ name }) => name);
    for (const { bindings } of topology.queues) {
      for (const { exchange } of bindings) expect(exchanges).toContain(exchange);
    }
    for (const [service, { publishes, consumes }] of Object.entries(topology.services)) {
      for (const exchange of publishes) expect(exchanges).toContain(exchange);
      for (const queue of consumes) {
        expect(queues).toContain(queue);
        expect(queue.startsWith(`${service}.`)).toBe(true);
      }
    }
  });
});
