import { readFile } from 'node:fs/promises';
import { describeMessages } from '@vuka/contracts/asyncapi';
import { topology } from '@vuka/contracts/topology';
import { expect, test } from 'vitest';
import { matchesRoutingKey } from './routing.ts';

const committed = JSON.parse(await readFile(new URL('../../../../docs/asyncapi.json', import.meta.url), 'utf8'));

test('the committed description matches the messages', () => {
  expect(committed).toEqual(describeMessages());
});

test('every queue takes a described message, and every described message has a queue', () => {
  const keys = Object.keys(committed.channels);
  const patterns = topology.queues.flatMap(({ bindings }) => bindings.map(({ key }) => key)).filter(Boolean);
  expect(patterns.filter((pattern) => !keys.some((key) => matchesRoutingKey(pattern, key)))).toEqual([]);
  expect(keys.filter((key) => !patterns.some((pattern) => matchesRoutingKey(pattern, key)))).toEqual([]);
});
