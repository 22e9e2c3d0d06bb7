import { type Note, noteText } from '@vuka/contracts/texts/transfer-notes';
import { expect, test } from 'vitest';
import type { Step } from '#db/states.ts';
import {
  backoffMs,
  evolve,
  isFinal,
  statusNoteOf,
  statusOf,
  statusReasonOf,
  type TransferEvent,
  type TransferState,
  waitingNote,
} from './transfer.domain.ts';

const created: TransferState = { step: 'created', waitingReason: null };
const follow = (...events: TransferEvent[]) => events.reduce(evolve, created);
const seenAs = (state: TransferState) => ({ step: state.step, status: statusOf(state), reason: statusReasonOf(state) });

const heldForPhone: TransferEvent = { type: 'held', payee: 'phone' };
const heldForMerchant: TransferEvent = { type: 'held', payee: 'merchant' };
const UNKNOWN: Note = [{ code: 'number_unknown' }];
const refused: TransferEvent = {
  type: 'hold_refused',
  code: 'insufficient_funds',
  reason: [{ code: 'insufficient_funds' }],
};
const completed: TransferEvent = { type: 'payout_completed' };
const failed: TransferEvent = { type: 'payout_failed', code: 'RECIPIENT_NOT_FOUND', reason: UNKNOWN };
const booked: TransferEvent = { type: 'booked' };
const released: TransferEvent = { type: 'released' };
const waiting: TransferEvent = { type: 'waiting_too_long', reason: waitingNote('paying_out') };
const everyEvent = [heldForPhone, heldForMerchant, refused, completed, failed, booked, released, waiting];

const RETURNED = 'The mobile network does not know this number. Your money is back in your wallet.';
const UNANSWERED = 'The mobile network has not answered yet. Your money is safe; we keep asking.';

test.each<[string, TransferEvent[], { step: Step; status: string; reason: string | null }]>([
  ['to a phone', [heldForPhone, completed, booked], { step: 'settled', status: 'SETTLED', reason: null }],
  ['to a merchant', [heldForMerchant, booked], { step: 'settled', status: 'SETTLED', reason: null }],
  [
    'refused for lack of money',
    [refused],
    { step: 'failed', status: 'FAILED', reason: 'Amount exceeds available balance' },
  ],
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
  expect(seenAs(follow(heldForPhone, waiting))).toEqual({ step: 'paying_out', status: 'PENDING', reason: UNANSWERED });
  expect(seenAs(follow(heldForPhone, waiting, completed))).toMatchObject({ status: 'PROCESSING', reason: null });
});

test('a failed payout’s reason says that the money is being returned until it has been', () => {
  const reason = 'The mobile network does not know this number.';
  const failure = { kind: 'payout_failed', code: 'RECIPIENT_NOT_FOUND', reason, note: UNKNOWN };
  const returning = follow(heldForPhone, failed);
  expect(returning).toMatchObject({ step: 'releasing', failure });
  expect(statusReasonOf(returning)).toBe(`${reason} Your money is being returned.`);
  expect(evolve(returning, released)).toEqual({ step: 'failed', failure });
});

test.each<[string, TransferEvent[]]>([
  ['that waits', [heldForPhone, waiting]],
  ['refused for lack of money', [refused]],
  ['whose money is being returned', [heldForPhone, failed]],
  ['whose money was returned', [heldForPhone, failed, released]],
  ['that has nothing to explain', [heldForPhone, completed]],
])('the codes for the status of a transfer %s stand for its reason', (_what, events) => {
  const state = follow(...events);
  const note = statusNoteOf(state);
  expect(note ? noteText(note) : null).toBe(statusReasonOf(state));
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

test('the backoff doubles up to thirty times the first delay, and five minutes', () => {
  expect([0, 4, 5, 30].map((attempts) => backoffMs(attempts, 1_000))).toEqual([1_000, 16_000, 30_000, 30_000]);
  expect(backoffMs(30, 30_000)).toBe(300_000);
  expect([0, 1, 2, 30].map((attempts) => backoffMs(attempts, 10_000))).toEqual([10_000, 20_000, 40_000, 300_000]);
});
