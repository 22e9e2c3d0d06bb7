import { expect, test } from 'vitest';
import type { Step } from '#db/states.ts';
import {
  backoffMs,
  evolve,
  isFinal,
  statusOf,
  statusReasonOf,
  type TransferEvent,
  type TransferState,
} from './transfer.domain.ts';

const created: TransferState = { step: 'created', waitingReason: null };
const follow = (...events: TransferEvent[]) => events.reduce(evolve, created);
const seenAs = (state: TransferState) => ({ step: state.step, status: statusOf(state), reason: statusReasonOf(state) });

const heldForPhone: TransferEvent = { type: 'held', payee: 'phone' };
const heldForMerchant: TransferEvent = { type: 'held', payee: 'merchant' };
const refused: TransferEvent = { type: 'hold_refused', code: 'insufficient_funds', reason: 'too little' };
const completed: TransferEvent = { type: 'payout_completed' };
const failed: TransferEvent = { type: 'payout_failed', code: 'RECIPIENT_NOT_FOUND', reason: 'No such number.' };
const booked: TransferEvent = { type: 'booked' };
const released: TransferEvent = { type: 'released' };
const waiting: TransferEvent = { type: 'waiting_too_long', reason: 'no answer' };
const everyEvent = [heldForPhone, heldForMerchant, refused, completed, failed, booked, released, waiting];

const RETURNED = 'No such number. Your money is back in your wallet.';

test.each<[string, TransferEvent[], { step: Step; status: string; reason: string | null }]>([
  ['to a phone', [heldForPhone, completed, booked], { step: 'settled', status: 'SETTLED', reason: null }],
  ['to a merchant', [heldForMerchant, booked], { step: 'settled', status: 'SETTLED', reason: null }],
  ['refused for lack of money', [refused], { step: 'failed', status: 'FAILED', reason: 'too little' }],
  ['refused by the network', [heldForPhone, failed, released], { step: 'failed', status: 'FAILED', reason: RETURNED }],
  [
    'answered after a long wait',
    [heldForPhone, waiting, completed, booked],
    { step: 'settled', status: 'SETTLED', reason: null },
  ],
])('a transfer %s reaches the right end', (_what, events, end) => {
  expect(seenAs(follow(...events))).toEqual(end);
});

test('a waiting transfer is PENDING with its reason until the outcome is known', () => {
  expect(seenAs(follow(heldForPhone, waiting))).toEqual({ step: 'paying_out', status: 'PENDING', reason: 'no answer' });
  expect(seenAs(follow(heldForPhone, waiting, completed))).toMatchObject({ status: 'PROCESSING', reason: null });
});

test('a failed payout’s reason says that the money is being returned until it has been', () => {
  const failure = { kind: 'payout_failed', code: 'RECIPIENT_NOT_FOUND', reason: 'No such number.' };
  const returning = follow(heldForPhone, failed);
  expect(returning).toMatchObject({ step: 'releasing', failure });
  expect(statusReasonOf(returning)).toBe('No such number. Your money is being returned.');
  expect(evolve(returning, released)).toEqual({ step: 'failed', failure });
});

test('in any order of events, a final state never changes and a transfer settles only from capturing', () => {
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

test('the backoff doubles up to five minutes', () => {
  expect([0, 1, 2, 30].map((attempts) => backoffMs(attempts, 10_000))).toEqual([10_000, 20_000, 40_000, 300_000]);
});
