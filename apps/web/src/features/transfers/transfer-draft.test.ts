import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, MalformedAnswerError, NetworkError } from '#shared/api-client.ts';
import { ruleText } from '#shared/i18n/refusal-texts.ts';
import { usePinState } from '#shared/use-pin-state.ts';
import { fixedId, transaction } from '#test/fixtures.ts';
import { quoteFor } from '#test/handlers.ts';
import { createWorld } from '#test/world.ts';
import { formatCountdown } from './countdown.tsx';
import { withNewId, withoutAttempt } from './draft-after-failure.ts';
import { toPrice } from './quotes.api.ts';
import { recentRecipients } from './recent-recipients.ts';
import { initialsOf } from './recipient-chip.tsx';
import { transferFailure } from './sending.ts';
import { amountError, phoneError, pinError } from './transfer-details.ts';
import {
  changeDetails,
  createClientTransactionId,
  emptyDraft,
  forgetUnanswered,
  loadDraft,
  saveDraft,
  withAttempt,
} from './transfer-draft.ts';
import { failureKind, quoteOfRateChange, toCreateBody } from './transfers.api.ts';
import { useSubmissionLock } from './use-submission-lock.ts';
import { isUnusual, usualAmount } from './usual-amount.ts';

const price = { targetAmount: '575750.00', rate: 23.03, fee: '75.00', quoteId: fixedId(1) };
const filled = { ...emptyDraft('KES_TO_TZS'), amount: '25000', phone: '712345678' };
const words = (error: string | undefined) => error && ruleText(error);
const refusal = (status: number, code: string, more = {}) =>
  new ApiError(status, 'Status Text', JSON.stringify({ error: 'Server words', code, requestId: 'r', ...more }));

describe('the client transaction id', () => {
  test('is CLIENT-, a timestamp and random text', () => {
    expect(createClientTransactionId(1_700_000_000_000)).toMatch(/^CLIENT-1700000000000-[0-9a-z]{14}$/);
    expect(createClientTransactionId()).not.toBe(createClientTransactionId());
  });

  test('stays when details change that were never sent', () => {
    expect(changeDetails(filled, { amount: '1' }).clientTransactionId).toBe(filled.clientTransactionId);
  });

  test('stays while an attempt is unanswered, and the price is frozen', () => {
    const attempted = withAttempt(filled, price, new Date(0));
    const again = withAttempt(attempted, { ...price, targetAmount: '1.00' }, new Date(1));
    expect(again.attempt).toEqual({ ...attempted.attempt, isRepeat: true });
    expect(again.clientTransactionId).toBe(attempted.clientTransactionId);
    expect(toCreateBody(again, '1357')).toEqual(toCreateBody(attempted, '1357'));
  });

  test('changes when different details follow an unanswered attempt, and not when nothing changed', () => {
    const attempted = withAttempt(filled, price, new Date(0));
    expect(changeDetails(attempted, { amount: '25000' })).toBe(attempted);
    const changed = changeDetails(attempted, { amount: '26000' });
    expect(changed.clientTransactionId).not.toBe(filled.clientTransactionId);
    expect(changed.attempt).toBeUndefined();
  });

  test('is that of an unanswered attempt again as soon as its details are, until its outcome is known', () => {
    const attempted = withAttempt(filled, price, new Date(0));
    const other = withAttempt(changeDetails(attempted, { amount: '26000' }), price, new Date(1));
    const third = changeDetails(other, { phone: '763456789' });
    expect(new Set([attempted, other, third].map((draft) => draft.clientTransactionId)).size).toBe(3);
    expect(changeDetails(third, { amount: '25000', phone: filled.phone })).toMatchObject({
      clientTransactionId: filled.clientTransactionId,
      attempt: attempted.attempt,
    });
    expect(changeDetails(third, { phone: filled.phone })).toMatchObject({
      clientTransactionId: other.clientTransactionId,
      attempt: other.attempt,
    });
    const answered = forgetUnanswered(third, filled.clientTransactionId) ?? third;
    const again = changeDetails(answered, { amount: '25000', phone: filled.phone });
    expect(again.attempt).toBeUndefined();
    expect(again.clientTransactionId).not.toBe(filled.clientTransactionId);
    expect(forgetUnanswered(again, filled.clientTransactionId)).toBeUndefined();
  });

  test('stays after a refusal and changes after an outcome', () => {
    const attempted = withAttempt(filled, price, new Date(0));
    expect(withoutAttempt(attempted)).toEqual(filled);
    expect(withNewId(attempted).clientTransactionId).not.toBe(filled.clientTransactionId);
  });
});

describe('the stored draft', () => {
  test('is restored for its own user, without a PIN', () => {
    saveDraft('amina', filled);
    expect(loadDraft('amina')).toEqual(filled);
    expect(loadDraft('juma')).toBeUndefined();
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/pin/i);
  });

  test('is discarded if it cannot be read', () => {
    sessionStorage.setItem('vuka.transfer-draft.amina', '{"direction":"SOMEWHERE"}');
    expect(loadDraft('amina')).toBeUndefined();
  });
});

test('the body has the prefix of the paid country, both amounts, the fee that was shown, the quote and the id twice', () => {
  const draft = withAttempt(filled, price, new Date(0));
  expect(toCreateBody(draft, '1357')).toEqual({
    direction: 'KES_TO_TZS',
    sourceAmount: '25000',
    sourceCurrency: 'KES',
    targetAmount: '575750.00',
    targetCurrency: 'TZS',
    fee: '75.00',
    recipientPhone: '+255712345678',
    pin: '1357',
    clientTransactionId: filled.clientTransactionId,
    quoteId: fixedId(1),
    metadata: { clientTransactionId: filled.clientTransactionId, timestamp: '1970-01-01T00:00:00.000Z' },
  });
  expect(toCreateBody({ ...draft, direction: 'TZS_TO_KES' }, '1357').recipientPhone).toBe('+254712345678');
});

describe('a failed call', () => {
  test.each([
    ['no answer', new NetworkError('Failed to fetch'), 'unknown'],
    ['an unparsable answer', new MalformedAnswerError(), 'unknown'],
    ['a server error', refusal(500, 'internal_error'), 'unknown'],
    ['an unavailable server', refusal(503, 'unavailable'), 'unknown'],
    ['a wrong PIN', refusal(401, 'invalid_pin'), 'refused'],
    ['an invalid body', refusal(400, 'validation_failed'), 'refused'],
    ['a changed rate', refusal(409, 'rate_changed'), 'refused'],
    ['too many attempts', refusal(429, 'too_many_attempts'), 'refused'],
    ['too little money', refusal(422, 'insufficient_funds'), 'ended'],
    ['an id that another transfer used', refusal(409, 'idempotency_conflict'), 'ended'],
  ])('%s leaves the transfer %s', (_, error, kind) => {
    expect(failureKind(error)).toBe(kind);
  });

  test.each([
    [refusal(401, 'invalid_pin'), 'Transfer failed', 'Server words'],
    [new ApiError(502, 'Bad Gateway', '<html>'), 'Transfer failed', 'Server error: 502 Bad Gateway'],
    [new ApiError(400, '', '{"message":"Other words"}'), 'Transfer failed', 'Other words'],
    [new ApiError(400, '', '{}'), 'Transfer failed', 'Failed to initiate transfer'],
    [new MalformedAnswerError(), 'Transfer failed', 'Failed to initiate transfer'],
    [new NetworkError('Failed to fetch'), 'Network Error', 'Failed to fetch'],
  ])('%s reads %s: %s', (error, title, description) => {
    expect(transferFailure(error)).toEqual({ title, description });
  });

  test('carries the new quote with a changed rate', () => {
    const quote = quoteFor(createWorld(), 'KES_TO_TZS', '25000');
    expect(quoteOfRateChange(refusal(409, 'rate_changed', { quote }))).toEqual(quote);
    expect(quoteOfRateChange(refusal(409, 'idempotency_conflict', { quote }))).toBeUndefined();
  });
});

test('a quote is held by the server’s clock, not the phone’s, and for at most 60 s', () => {
  const quote = { ...quoteFor(createWorld(), 'KES_TO_TZS', '25000'), expiresAt: '2026-01-01T00:01:00.000Z' };
  const serverNowMs = Date.parse('2026-01-01T00:00:15.000Z');
  expect(toPrice(quote, serverNowMs, 5_000).heldUntilMs).toBe(50_000);
  expect(toPrice(quote, undefined, 5_000).heldUntilMs).toBe(65_000);
  expect(toPrice(quote, serverNowMs + 3_600_000, 5_000).heldUntilMs).toBe(5_000);
});

test('the countdown reads as minutes and seconds', () => {
  expect([60, 23, 0].map(formatCountdown)).toEqual(['1:00', '0:23', '0:00']);
});

describe('the usual amount', () => {
  const sent = (amount: string, more = {}) => transaction(0, { sourceAmount: amount, ...more });

  test('is the median of the sent amounts in the currency, from five of them', () => {
    const items = ['100.00', '5000.00', '200.00', '300.00', '90000.00'].map((amount) => sent(amount));
    expect(usualAmount(items, 'KES')).toBe(300n);
    expect(usualAmount(items.slice(1), 'KES')).toBeUndefined();
    expect(usualAmount(items, 'TZS')).toBeUndefined();
    const others = [sent('1.00', { status: 'FAILED' }), sent('1.00', { metadata: { transactionType: 'CREDIT' } })];
    expect(usualAmount([...items, ...others, ...others], 'KES')).toBe(300n);
  });

  test('is exceeded by more than five times as much', () => {
    expect(isUnusual('1500', 300n)).toBe(false);
    expect(isUnusual('1501', 300n)).toBe(true);
    expect(isUnusual('', 300n)).toBe(false);
    expect(isUnusual('1501', undefined)).toBe(false);
  });
});

test('a saved recipient has two initials, an unsaved number none', () => {
  expect(initialsOf('asha juma ally')).toBe('AJ');
  expect(initialsOf('🌸 asha')).toBe('🌸A');
  expect(initialsOf(undefined)).toBe('');
});

describe('the details', () => {
  test.each([
    ['', '100.00', 'Amount is required'],
    ['0', '100.00', 'Amount must be greater than 0'],
    ['101', '100.00', 'Amount exceeds available balance'],
    ['100', '100.00', undefined],
    ['101', undefined, undefined],
  ])('an amount of %j with %s available: %s', (amount, balance, expected) => {
    expect(words(amountError(amount, balance))).toBe(expected);
  });

  test.each([
    ['', 'Phone number is required'],
    ['71234567', 'Please enter a valid 9-digit phone number without leading zero'],
    ['012345678', undefined],
    ['712345678', undefined],
  ])('a phone number %j: %s', (phone, expected) => {
    expect(words(phoneError(phone))).toBe(expected);
  });

  test.each([
    ['', 'Please enter your 4-digit PIN'],
    ['123', 'PIN must be exactly 4 numeric digits'],
    ['12a4', 'PIN must be exactly 4 numeric digits'],
    ['1234', undefined],
  ])('a PIN %j: %s', (pin, expected) => {
    expect(words(pinError(pin))).toBe(expected);
  });
});

test('recent recipients are the last 8 numbers sent to, without duplicates, newest first', () => {
  const sent = Array.from({ length: 10 }, (_, index) =>
    transaction(index, {
      recipientPhone: `+25571234567${index}`,
      createdAt: `2026-01-0${9 - Math.min(index, 8)}T00:00:00.000Z`,
    }),
  );
  const others = [
    transaction(20, { recipientPhone: 'ADMIN' }),
    transaction(21, { recipientPhone: null }),
    transaction(22, { recipientPhone: '+254700000000', metadata: { transactionType: 'CREDIT' } }),
    transaction(23, { recipientPhone: '+255712345670', createdAt: '2025-01-01T00:00:00.000Z' }),
  ];
  const found = recentRecipients([...others, ...sent], '+255');
  expect(found).toHaveLength(8);
  expect(found[0]).toBe('+255712345670');
  expect(new Set(found).size).toBe(8);
  expect(found).not.toContain('+254700000000');
});

describe('with a fake clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('the submission lock admits one submission, and opens after 20 s', () => {
    const { result } = renderHook(() => useSubmissionLock());
    let taken: boolean[] = [];
    act(() => {
      taken = [result.current.acquire(), result.current.acquire()];
    });
    expect(taken).toEqual([true, false]);
    expect(result.current.isLocked).toBe(true);
    act(() => void vi.advanceTimersByTime(19_999));
    expect(result.current.isLocked).toBe(true);
    act(() => void vi.advanceTimersByTime(1));
    expect(result.current).toMatchObject({ isLocked: false, hasTimedOut: true });
  });

  test('a PIN is cleared when the price changes, and after 30 s in a hidden page', () => {
    const { result, rerender } = renderHook(({ key }) => usePinState(key), { initialProps: { key: 'a' } });
    act(() => result.current[1]('1357'));
    expect(result.current[0]).toBe('1357');
    const hide = (hidden: boolean) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
    };
    hide(true);
    vi.advanceTimersByTime(29_000);
    hide(false);
    expect(result.current[0]).toBe('1357');
    hide(true);
    vi.advanceTimersByTime(31_000);
    hide(false);
    expect(result.current[0]).toBe('');
    act(() => result.current[1]('1357'));
    rerender({ key: 'b' });
    expect(result.current[0]).toBe('');
  });
});
