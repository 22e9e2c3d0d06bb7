import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';
import { afterLoad } from './after-load.ts';
import { toDisplayRates } from './api/rates.api.ts';
import { isFinalStatus, pollDelayMs } from './api/receipts.api.ts';
import { ApiError, errorMessage } from './api-client.ts';
import { applyEvent } from './live-updates.ts';
import { safeNextPath, signInPath } from './paths.ts';
import { createQueryClient } from './query-client.ts';
import { normaliseUser, USER_KEY } from './session.ts';
import { statusView } from './status-view.ts';

describe('statusView', () => {
  test.each([
    ['COMPLETED', 'list', 'COMPLETED', 'green'],
    ['COMPLETED', 'narrow-list', 'settled', 'green'],
    ['SUCCESS', 'narrow-list', 'settled', 'green'],
    ['SETTLED', 'list', 'SETTLED', 'green'],
    ['settled', 'receipt', 'SETTLED', 'green'],
    ['SUCCESS', 'receipt', 'SUCCESS', 'green'],
    ['completed', 'receipt', 'COMPLETED', 'green'],
    ['FAILED', 'list', 'FAILED', 'red'],
    ['failed', 'narrow-list', 'failed', 'red'],
    ['FAILED', 'receipt', 'FAILED', 'red'],
    ['PENDING', 'list', 'PENDING', 'yellow'],
    ['PROCESSING', 'narrow-list', 'processing', 'yellow'],
    ['CANCELLED', 'list', 'CANCELLED', 'yellow'],
    ['pending', 'receipt', 'PENDING', 'yellow'],
    ['PROCESSING', 'receipt', 'PROCESSING', 'grey'],
    ['CANCELLED', 'receipt', 'CANCELLED', 'grey'],
  ] as const)('%s in the %s reads %s, %s', (status, place, text, tone) => {
    expect(statusView(status, place)).toEqual({ text, tone });
  });

  test('stops polling only at a final status', () => {
    expect(['SETTLED', 'success', 'COMPLETED', 'FAILED', 'cancelled'].every(isFinalStatus)).toBe(true);
    expect(['PENDING', 'processing'].some(isFinalStatus)).toBe(false);
  });

  test('polls every 3 s for a minute, then every 15 s, then every 30 s', () => {
    expect([0, 59_999, 60_000, 299_999, 300_000].map(pollDelayMs)).toEqual([3_000, 3_000, 15_000, 15_000, 30_000]);
  });
});

describe('normaliseUser', () => {
  test('falls back from username to email, then to an empty text', () => {
    expect(normaliseUser({ id: 'u', email: 'a@b.c' })?.username).toBe('a@b.c');
    expect(normaliseUser({ id: 'u' })?.username).toBe('');
  });

  test('falls back from phone to phoneNumber and from fullName to name', () => {
    expect(normaliseUser({ id: 'u', phoneNumber: '+254', name: 'Amina' })).toMatchObject({
      phone: '+254',
      fullName: 'Amina',
    });
  });

  test('falls back to KES, to no merchant and to no admin', () => {
    expect(normaliseUser({ id: 7 })).toMatchObject({
      id: '7',
      defaultCurrency: 'KES',
      merchantData: null,
      isAdmin: false,
    });
  });

  test.each([[null], ['text'], [[]], [{}], [{ id: '' }]])('rejects %j as a user', (body) => {
    expect(normaliseUser(body)).toBeUndefined();
  });
});

describe('rates answer', () => {
  test('accepts the spelling tzsTokes, and uses the fallback where neither is given', () => {
    expect(toDisplayRates({ kesToTzs: 23, tzsTokes: 0.04 }).tzsToKes).toBe(0.04);
    expect(toDisplayRates({ kesToTzs: 23 }).tzsToKes).toBe(0.0425);
  });
});

describe('paths', () => {
  test('return to the visitor’s page, only on this site', () => {
    expect(safeNextPath('/transactions?status=failed')).toBe('/transactions?status=failed');
    expect(safeNextPath('/transactions#x')).toBe('/transactions');
    const elsewhere = [
      'https://evil.test/',
      '//evil.test/',
      '/\\evil.test/',
      '/\t/evil.test',
      '/\n\\evil.test',
      '///evil.test',
    ];
    const disguised = [
      '/.//evil.test',
      '/..//evil.test/',
      '/x/..//evil.test',
      '/%2e//evil.test',
      '/.\\/evil.test',
      '//',
      '/\\',
    ];
    for (const next of [null, '', 'transactions', 'javascript:alert(1)', '/auth', ...elsewhere, ...disguised]) {
      expect(safeNextPath(next), String(next)).toBeUndefined();
    }
  });

  test('have no way back to the start page, unless the session ended there', () => {
    expect(signInPath('/', false)).toBe('/auth');
    expect(signInPath('/', true)).toBe('/auth?next=%2F');
    expect(signInPath('/profile', false)).toBe('/auth?next=%2Fprofile');
  });
});

describe('errors', () => {
  test('a wrong PIN does not end the session, a missing one does', () => {
    const answer = (code: string) => new ApiError(401, '', JSON.stringify({ error: 'No', code, requestId: 'r' }));
    expect(answer('invalid_pin').endsSession).toBe(false);
    expect(answer('invalid_credentials').endsSession).toBe(false);
    expect(answer('unauthenticated').endsSession).toBe(true);
    expect(new ApiError(401, 'Unauthorized', '').endsSession).toBe(true);
  });

  test('about a PIN state the remaining attempts, if the server gives them', () => {
    const wrong = (more: object) =>
      new ApiError(401, '', JSON.stringify({ error: 'Invalid PIN', code: 'invalid_pin', requestId: 'r', ...more }));
    expect(wrong({ attemptsLeft: 2 }).text).toBe('Invalid PIN. 2 attempts left.');
    expect(wrong({ attemptsLeft: 1 }).text).toBe('Invalid PIN. 1 attempt left.');
    expect(wrong({}).text).toBe('Invalid PIN');
  });

  test('have the response text, or the status text without one', () => {
    expect(new ApiError(500, 'Internal Server Error', '').message).toBe('Internal Server Error');
    expect(new ApiError(502, 'Bad Gateway', 'upstream is unavailable').message).toBe('upstream is unavailable');
    expect(new ApiError(400, '', '{"message":"Not so"}').message).toBe('Not so');
  });

  test('are truncated to what a toast can hold', () => {
    expect(errorMessage(new Error('x'.repeat(500)))).toHaveLength(160);
    expect(errorMessage('no error')).toBe('An unexpected error occurred');
  });
});

describe('a refreshed session', () => {
  test('makes balances, transactions, the ledger and the dashboards stale, and a first load makes nothing stale', async () => {
    const client = createQueryClient();
    const data = [['/api/balances'], ['/api/transactions'], ['/api/admin/ledger/audit'], ['/api/admin/overview']];
    for (const queryKey of data) client.setQueryData(queryKey, []);
    const stale = () => data.filter((queryKey) => client.getQueryState(queryKey)?.isInvalidated);
    const fetchUser = () => client.fetchQuery({ queryKey: USER_KEY, queryFn: async () => ({ id: '1' }), staleTime: 0 });
    await fetchUser();
    expect(stale()).toEqual([]);
    await fetchUser();
    expect(stale()).toEqual(data);
  });
});

describe('server-sent events', () => {
  const invalidated = (name: 'transaction' | 'balances' | 'session', data: string) => {
    const client = new QueryClient();
    const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
    applyEvent(client, name, data);
    return invalidate.mock.calls.map(([filters]) => filters?.queryKey);
  };

  test('a transaction event refreshes balances, the list and that receipt', () => {
    const id = '0190a5c0-0000-7000-8000-000000000001';
    const data = JSON.stringify({ transactionId: id, status: 'SETTLED', at: '2026-01-12T06:30:00.000Z' });
    expect(invalidated('transaction', data)).toEqual([
      ['/api/balances'],
      ['/api/transactions'],
      ['/api/transactions', 'history'],
      ['/api/transactions', id],
    ]);
  });

  test('a balances event refreshes balances, a session event refetches the user', () => {
    expect(invalidated('balances', '{}')).toEqual([['/api/balances']]);
    expect(invalidated('session', '{}')).toEqual([['/api/user']]);
  });
});

test('work that waits for the page to load also runs if it has already loaded', async () => {
  expect(document.readyState).toBe('complete');
  await new Promise<void>((resolve) => afterLoad(0, resolve));
});
