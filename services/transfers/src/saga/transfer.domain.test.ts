import { expect, test } from 'vitest';
import type { Step } from '#db/states.ts';
import { backoffMs, evolve, isFinal, type TransferEvent, type TransferState } from './transfer.domain.ts';

const created: TransferState = { step: 'created', status: 'PENDING', waitingReason: null, failure: null };
const follow = (...events: TransferEvent[]) => events.reduce(evolve, created);

const heldForPhone: TransferEvent = { type: 'held', payee: 'phone' };
const heldForMerchant: TransferEvent = { type: 'held', payee: 'merchant' };
const refused: TransferEvent = { type: 'hold_refused', code: 'insufficient_funds', message: 'too little' };
const completed: TransferEvent = { type: 'payout_completed' };
const failed: TransferEvent = { type: 'payout_failed', code: 'RECIPIENT_NOT_FOUND', message: 'no such number' };
const booked: TransferEvent = { type: 'booked' };
const released: TransferEvent = { type: 'released' };
const waiting: TransferEvent = { type: 'waiting_too_long', reason: 'no answer' };
const everyEvent = [heldForPhone, heldForMerchant, refused, completed, failed, booked, released, waiting];

test.each<[string, TransferEvent[], Step, string]>([
  ['to a phone', [heldForPhone, completed, booked], 'settled', 'SETTLED'],
  ['to a merchant', [heldForMerchant, booked], 'settled', 'SETTLED'],
  ['refused for lack of money', [refused], 'failed', 'FAILED'],
  ['refused by the network', [heldForPhone, failed, released], 'failed', 'FAILED'],
  ['answered after a long wait', [heldForPhone, waiting, completed, booked], 'settled', 'SETTLED'],
])('a transfer %s ends as it should', (_what, events, step, status) => {
  expect(follow(...events)).toMatchObject({ step, status, waitingReason: null });
});

test('a transfer that waits is PENDING with its reason until the outcome is known', () => {
  expect(follow(heldForPhone, waiting)).toMatchObject({
    status: 'PENDING',
    waitingReason: 'no answer',
    step: 'paying_out',
  });
  expect(follow(heldForPhone, waiting, completed)).toMatchObject({ status: 'PROCESSING', waitingReason: null });
});

test('a failure keeps its reason when the money is back', () => {
  expect(follow(heldForPhone, failed, released).failure).toEqual({
    code: 'RECIPIENT_NOT_FOUND',
    message: 'no such number',
  });
});

test('whatever order events come in, no state is left once final, and settled is reached only by way of capturing', () => {
  const seen = new Set<string>();
  const visit = (state: TransferState, depth: number) => {
    for (const event of depth === 0 ? [] : everyEvent) {
      const next = evolve(state, event);
      seen.add(`${state.step}>${next.step}`);
      if (isFinal(state)) expect(next).toBe(state);
      visit(next, depth - 1);
    }
  };
  visit(created, 5);
  const into = (step: Step) => [...seen].filter((pair) => pair.endsWith(`>${step}`) && !pair.startsWith(step)).sort();
  expect(into('settled')).toEqual(['capturing>settled']);
  expect(into('releasing')).toEqual(['paying_out>releasing']);
  expect(into('failed')).toEqual(['created>failed', 'releasing>failed']);
});

test('waits twice as long each time, five minutes at most', () => {
  expect([0, 1, 2, 30].map((attempts) => backoffMs(attempts, 10_000))).toEqual([10_000, 20_000, 40_000, 300_000]);
});
