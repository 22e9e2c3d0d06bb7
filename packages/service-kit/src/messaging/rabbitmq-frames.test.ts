import { expect, test } from 'vitest';
import { cloudEvent } from '../cloud-event.ts';
import { intoFrames, readFrame } from './rabbitmq-frames.ts';

const PACKED = new Set(['events']);

function message(routingKey: string, process?: string, { exchange = 'events', data = {} as unknown } = {}) {
  const envelope = cloudEvent({
    source: '/test',
    type: routingKey,
    data,
    ...(process === undefined ? {} : { correlationid: process }),
  });
  return { exchange, routingKey, envelope, requireRoute: false };
}

const placesOf = (batch: ReturnType<typeof message>[]) => intoFrames(batch, PACKED).map(({ places }) => places);

test('messages with one address travel together', () => {
  expect(placesOf([message('a', '1'), message('b', '2'), message('a', '3')])).toEqual([[0, 2], [1]]);
});

test('messages of an exchange without packs travel alone', () => {
  const commands = [message('a', '1', { exchange: 'commands' }), message('a', '2', { exchange: 'commands' })];
  expect(placesOf(commands)).toEqual([[0], [1]]);
});

test('no message overtakes another of its process', () => {
  // The last one may not join the first frame: the second of its process goes out after that.
  expect(placesOf([message('a', '1'), message('b', '2'), message('a', '2'), message('a', '3')])).toEqual([
    [0],
    [1],
    [2, 3],
  ]);
  expect(placesOf([message('a', '1'), message('a', '1'), message('b', '1'), message('b', '2')])).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test('a pack has at most a hundred messages and 128 kB', () => {
  const many = Array.from({ length: 230 }, (_, n) => message('a', String(n)));
  expect(intoFrames(many, PACKED).map(({ messages }) => messages.length)).toEqual([100, 100, 30]);
  const large = Array.from({ length: 3 }, (_, n) => message('a', String(n), { data: 'x'.repeat(60_000) }));
  expect(placesOf(large)).toEqual([[0, 1], [2]]);
});

test('a body that is no envelope and no list of envelopes is not read', () => {
  const { envelope } = message('a');
  const read = (body: unknown) => readFrame(Buffer.from(JSON.stringify(body)));
  expect(read(envelope)).toEqual({ envelopes: [envelope], isPack: false });
  expect(read([envelope])).toEqual({ envelopes: [envelope], isPack: true });
  expect(read([])).toBeUndefined();
  expect(read([envelope, {}])).toBeUndefined();
  expect(readFrame(Buffer.from('['))).toBeUndefined();
});
