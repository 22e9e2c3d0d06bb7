import { expect, test } from 'vitest';
import { createAcknowledgements } from '#messaging/acknowledgements.ts';

function record(prefetch = 200) {
  const sent: [tag: number, allUpTo: boolean][] = [];
  const failures: unknown[] = [];
  const channel = {
    ack: (message: { fields: { deliveryTag: number } }, allUpTo: boolean) =>
      sent.push([message.fields.deliveryTag, allUpTo]),
  };
  const acks = createAcknowledgements({
    channel: channel as never,
    prefetch,
    onFailure: (error) => failures.push(error),
  });
  return { sent, failures, acks };
}

test('deliveries finished together are acknowledged in one frame, up to the first unfinished one', () => {
  const { sent, acks } = record();
  for (const tag of [2, 1, 3, 5]) acks.ack(tag);
  acks.flush();
  expect(sent).toEqual([[3, true]]);
  acks.ack(4);
  acks.flush();
  expect(sent).toEqual([
    [3, true],
    [5, true],
  ]);
});

test('a run never ends with a delivery that was settled in another way', () => {
  const { sent, acks } = record();
  acks.ack(1);
  acks.settled(2);
  acks.flush();
  expect(sent).toEqual([[1, true]]);
  acks.settled(3);
  acks.flush();
  acks.ack(4);
  acks.flush();
  expect(sent).toEqual([
    [1, true],
    [4, true],
  ]);
});

test('one slow delivery does not hold back the others', () => {
  const { sent, acks } = record();
  for (let tag = 2; tag <= 40; tag++) acks.ack(tag);
  acks.flush();
  expect(sent).toEqual(Array.from({ length: 39 }, (_, index) => [index + 2, false]));
  acks.ack(1);
  acks.flush();
  acks.ack(41);
  acks.flush();
  expect(sent.slice(39)).toEqual([
    [1, true],
    [41, true],
  ]);
});

test.each([4, 10, 20, 32])('one slow delivery leaves room for others when only %i may be open', (prefetch) => {
  const { sent, acks } = record(prefetch);
  for (let tag = 2; tag <= prefetch; tag++) acks.ack(tag);
  acks.flush();
  expect(sent).toHaveLength(prefetch - 1);
});

test('a lost channel is reported, not thrown', () => {
  const failures: unknown[] = [];
  const channel = {
    ack() {
      throw new Error('closed');
    },
  };
  const acks = createAcknowledgements({
    channel: channel as never,
    prefetch: 200,
    onFailure: (error) => failures.push(error),
  });
  acks.ack(1);
  acks.flush();
  expect(failures).toHaveLength(1);
});
