import { describe, expect, test } from 'vitest';
import type { PayoutFailure, SubmitResult } from '#payouts/payout-provider.ts';
import {
  acknowledges,
  afterNotFound,
  failureOfRequest,
  sentBy,
  stateAfter,
  wasAcknowledged,
} from './payout-decision.domain.ts';

const UNKNOWN_NUMBER: PayoutFailure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' };
const EMPTY_FLOAT: PayoutFailure = { code: 'INSUFFICIENT_FLOAT', class: 'float' };
const refused = (failure: PayoutFailure): SubmitResult => ({ kind: 'rejected', failure });
const accepted: SubmitResult = { kind: 'accepted', state: 'accepted' };
const silent: SubmitResult = { kind: 'ambiguous', reason: 'no answer' };
const unsent: SubmitResult = { kind: 'not_sent', reason: 'no connection' };

describe('a request', () => {
  test('proves a failure only if it was the first, was refused, and the operator can mend nothing', () => {
    expect(failureOfRequest(refused(UNKNOWN_NUMBER), true)).toEqual(UNKNOWN_NUMBER);
    expect(failureOfRequest(refused(UNKNOWN_NUMBER), false)).toBeUndefined();
    expect(failureOfRequest(refused(EMPTY_FLOAT), true)).toBeUndefined();
    for (const result of [accepted, silent, unsent, { kind: 'duplicate' } as const]) {
      expect(failureOfRequest(result, true)).toBeUndefined();
    }
  });

  test('may be sent again if it was not sent, or created nothing; anything else must be asked about', () => {
    expect(stateAfter(accepted, true)).toBe('accepted');
    expect(stateAfter(unsent, false)).toBe('submitting');
    expect(stateAfter(refused(EMPTY_FLOAT), true)).toBe('submitting');
    for (const result of [silent, refused(UNKNOWN_NUMBER), { kind: 'duplicate' } as const]) {
      expect(stateAfter(result, false)).toBe('unknown');
    }
  });

  test('is acknowledged by an acceptance, and by the refusal of a duplicate', () => {
    expect([accepted, { kind: 'duplicate' } as const].map(acknowledges)).toEqual([true, true]);
    expect([silent, unsent, refused(EMPTY_FLOAT)].map(acknowledges)).toEqual([false, false, false]);
  });

  test('that was not sent is not counted', () => {
    expect([sentBy(accepted, true), sentBy(silent, true), sentBy(unsent, true)]).toEqual([1, 1, 0]);
    expect([sentBy(accepted, false), sentBy(unsent, false)]).toEqual([0, -1]);
  });
});

describe('a payout that the provider does not find', () => {
  const facts = {
    result: { kind: 'not_found' },
    isAcknowledged: false,
    refused: undefined,
    isRefusedUnclearly: false,
    isPastGrace: false,
    wasSentLate: false,
    isRetry: false,
  } as const;

  test('is asked about again until no request can be in flight, and then sent again', () => {
    expect(afterNotFound(facts)).toBe('ask_again');
    expect(afterNotFound({ ...facts, isPastGrace: true })).toBe('send_again');
    expect(afterNotFound({ ...facts, isRetry: true })).toBe('send_again');
  });

  test('fails if it was refused for good, after the grace time', () => {
    expect(afterNotFound({ ...facts, refused: UNKNOWN_NUMBER })).toBe('ask_again');
    const late = { ...facts, refused: UNKNOWN_NUMBER, isPastGrace: true, wasSentLate: true };
    expect(afterNotFound(late)).toBe('fail');
    expect(afterNotFound({ ...late, isRetry: true })).toBe('fail');
  });

  test('does not fail if it was refused before the first request had to be known', () => {
    const early = { ...facts, refused: UNKNOWN_NUMBER, isPastGrace: true };
    expect(afterNotFound(early)).toBe('send_again');
  });

  test('is sent again if the operator has mended what refused it', () => {
    expect(afterNotFound({ ...facts, refused: EMPTY_FLOAT })).toBe('send_again');
    expect(afterNotFound({ ...facts, refused: EMPTY_FLOAT, isPastGrace: true })).toBe('send_again');
  });

  test('is held if it was refused with a code that proves nothing, and is then not sent again, not even by a retry', () => {
    const unclear = { ...facts, isRefusedUnclearly: true };
    expect(afterNotFound(unclear)).toBe('ask_again');
    expect(afterNotFound({ ...unclear, isPastGrace: true })).toBe('send_again');
    const late = { ...unclear, isPastGrace: true, wasSentLate: true };
    expect(afterNotFound(late)).toBe('hold');
    expect(afterNotFound({ ...late, isRetry: true })).toBe('hold');
    expect(afterNotFound({ ...late, result: { kind: 'ambiguous', reason: 'HTTP 500' } })).toBe('ask_again');
  });

  test('neither fails nor is sent again if the provider has acknowledged it, not even by a retry', () => {
    const known = { ...facts, isAcknowledged: true };
    expect(afterNotFound(known)).toBe('ask_again');
    const late = { ...known, isPastGrace: true, wasSentLate: true };
    for (const refused of [undefined, UNKNOWN_NUMBER, EMPTY_FLOAT]) {
      expect(afterNotFound({ ...late, refused })).toBe('hold');
      expect(afterNotFound({ ...late, refused, isRetry: true })).toBe('hold');
    }
    expect(afterNotFound({ ...known, isRetry: true })).toBe('ask_again');
  });

  test('was acknowledged if its state follows from an acceptance or a report, as in rows of the release before', () => {
    const states = ['submitting', 'unknown', 'accepted', 'enqueued', 'processing', 'reconciling'] as const;
    const known = states.filter((state) => wasAcknowledged({ is_acknowledged: false, state }));
    expect(known).toEqual(['accepted', 'enqueued', 'processing', 'reconciling']);
    expect(wasAcknowledged({ is_acknowledged: true, state: 'unknown' })).toBe(true);
  });

  test('is asked about again after any other answer', () => {
    const result = { kind: 'ambiguous', reason: 'HTTP 500' } as const;
    expect(afterNotFound({ ...facts, result, refused: UNKNOWN_NUMBER, isPastGrace: true, isRetry: true })).toBe(
      'ask_again',
    );
  });
});
