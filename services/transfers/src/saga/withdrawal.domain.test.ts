import { expect, test } from 'vitest';
import type { PayoutState, Step } from '#db/states.ts';
import { evolve } from './transfer.domain.ts';
import { stateOf } from './transfer-state.ts';
import { type Decision, eventOf, isRepeat, needsApproval, obstacleTo, statusAfter } from './withdrawal.domain.ts';

test.each([
  ['mobile_money', 100_000_00n, false],
  ['mobile_money', 100_000_01n, true],
  ['bank', 1_00n, true],
] as const)(
  'a withdrawal to %s of %s minor units with a limit of 100,000 needs approval: %s',
  (type, amount, needs) => {
    expect(needsApproval(type, amount, 100_000_00n)).toBe(needs);
  },
);

const steps: [Step, Step, PayoutState | undefined, boolean, string | null][] = [
  ['created', 'created', undefined, true, 'awaiting_approval'],
  ['created', 'awaiting_approval', undefined, true, 'awaiting_approval'],
  ['awaiting_approval', 'approved', undefined, true, 'pending'],
  ['awaiting_approval', 'paying_by_hand', undefined, true, 'pending'],
  ['approved', 'paying_out', undefined, true, 'pending'],
  ['created', 'paying_out', undefined, false, 'pending'],
  ['paying_out', 'paying_out', 'accepted', false, 'payment_submitted'],
  ['paying_out', 'paying_out', 'unknown', false, 'payment_submitted'],
  ['paying_out', 'paying_out', 'submitting', false, null],
  ['paying_out', 'paying_out', undefined, false, null],
  ['paying_out', 'capturing', 'completed', false, 'payment_submitted'],
  ['capturing', 'settled', undefined, false, 'completed'],
  ['awaiting_approval', 'releasing', undefined, true, 'pending'],
  ['releasing', 'failed', undefined, true, 'failed'],
];
test.each(steps)('from %s to %s with a payout %s and approval required %s, it becomes %s', (...step) => {
  const [before, after, payoutState, requiresApproval, status] = step;
  expect(statusAfter({ before, after, payoutState, requiresApproval })).toBe(status);
});

const approve: Decision = { kind: 'approve' };
const refuse: Decision = { kind: 'refuse', reason: 'unknown account' };
const complete: Decision = { kind: 'complete', reference: 'FT1' };
const fail: Decision = { kind: 'fail', reason: 'the bank is closed' };

test.each([
  [approve, 'awaiting_approval', undefined],
  [refuse, 'awaiting_approval', undefined],
  [complete, 'paying_by_hand', undefined],
  [fail, 'paying_by_hand', undefined],
  [approve, 'created', 'not_reserved'],
  [refuse, 'created', 'not_reserved'],
  [complete, 'awaiting_approval', 'not_approved'],
  [fail, 'created', 'not_approved'],
  [refuse, 'paying_by_hand', 'not_waiting'],
  [approve, 'paying_out', 'not_waiting'],
  [complete, 'settled', 'not_waiting'],
] as const)('%o on %s: %s', (decision, step, obstacle) => {
  expect(obstacleTo(decision, step)).toBe(obstacle);
});

const nothing = { approvedBy: null, closedBy: null, reference: null, errorCode: null };
const paid = { ...nothing, approvedBy: 'A1', closedBy: 'A2', reference: 'FT1' };
const notPaid = { ...nothing, approvedBy: 'A1', closedBy: 'A2', errorCode: 'not_paid' };

test.each([
  [approve, nothing, 'A1', false],
  [approve, paid, 'A1', true],
  [approve, paid, 'A2', false],
  [complete, paid, 'A2', true],
  [complete, paid, 'A1', false],
  [{ ...complete, reference: 'FT2' }, paid, 'A2', false],
  [fail, paid, 'A2', false],
  [fail, notPaid, 'A2', true],
  [complete, notPaid, 'A2', false],
  [refuse, notPaid, 'A2', false],
  [refuse, { ...nothing, closedBy: 'A1', errorCode: 'refused' }, 'A1', true],
] as const)('%o after %o, by %s, is a repeat: %s', (decision, decided, adminId, expected) => {
  expect(isRepeat(decision, decided, adminId)).toBe(expected);
});

test('no decision changes a transfer at any other step', () => {
  const others: Step[] = ['created', 'approved', 'paying_out', 'capturing', 'releasing', 'settled', 'failed'];
  const row = {
    status: 'PROCESSING',
    waiting_reason: null,
    error_code: null,
    error_message: null,
    failure: null,
  } as const;
  for (const step of others) {
    const state = stateOf({ ...row, step });
    for (const decision of [approve, refuse, complete, fail])
      expect(evolve(state, eventOf(decision, 'bank'))).toBe(state);
  }
});
