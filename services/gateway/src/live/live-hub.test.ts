import { expect, test } from 'vitest';
import { createLiveHub, type LiveEvent } from './live-hub.ts';

const event = (id: string): LiveEvent => ({ id, name: 'transaction', data: {} });

test('an event that arrives while the missed ones are read is sent after them, and once', () => {
  const hub = createLiveHub();
  const place = hub.reserve('asha');
  hub.publish('asha', event('2'));
  hub.publish('asha', event('3'));
  hub.publish('juma', event('4'));
  const sent: (string | undefined)[] = [];
  place.open({ send: ({ id }) => sent.push(id), end: () => undefined }, [event('1'), event('2')]);
  hub.publish('asha', event('5'));
  expect(sent).toEqual(['1', '2', '3', '5']);
  place.remove();
  hub.publish('asha', event('6'));
  expect([sent.at(-1), hub.size]).toEqual(['5', 0]);
});

test('events without an id, which are not stored, are never left out', () => {
  const hub = createLiveHub();
  const place = hub.reserve('asha');
  hub.publish('asha', { name: 'session', data: {} });
  const names: string[] = [];
  place.open({ send: ({ name }) => names.push(name), end: () => undefined }, []);
  expect(names).toEqual(['session']);
});
