import { MutationObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { balancesQuery } from './api/balances.api.ts';
import { ratesQuery } from './api/rates.api.ts';
import { transactionsQuery } from './api/transactions.api.ts';
import { ApiError, NetworkError } from './api-client.ts';
import { createQueryClient } from './query-client.ts';
import { USER_KEY, userQuery } from './session.ts';
import { toastStore } from './toast-store.ts';

const refusal = (status: number, error: string) =>
  new ApiError(status, 'Status Text', JSON.stringify({ error, code: 'internal_error', requestId: 'r' }));

const toast = () => [toastStore.read()?.title, toastStore.read()?.description];

type Case = [what: string, error: unknown, title: string, description: string];

const CASES: Case[] = [
  ['any 401', refusal(401, 'x'), 'Authentication Error', 'Invalid credentials. Please check your username and PIN.'],
  ['no network', new NetworkError('Failed to fetch'), 'Network Error', 'Failed to fetch'],
  ['no network and no message', new NetworkError(''), 'Network Error', 'An unexpected error occurred'],
];

test.each<Case>([
  ...CASES,
  ['another answer', refusal(500, 'It broke'), 'Request Error', 'Error 500: It broke'],
  ['an answer without a message', new ApiError(502, 'Bad Gateway', ''), 'Request Error', 'Error 502: Bad Gateway'],
  ['anything else', 'thrown text', 'Unknown Error', 'An unexpected error occurred'],
])('a failed call says for %s: %s', async (_, error, title, description) => {
  const client = createQueryClient();
  const mutation = new MutationObserver(client, { mutationFn: () => Promise.reject(error) });
  await mutation.mutate().catch(() => undefined);
  expect(toast()).toEqual([title, description]);
});

test.each<Case>([
  ...CASES,
  ['another answer', refusal(500, 'It broke'), 'Query Error', 'It broke'],
  ['an error without a message', new Error(''), 'Query Error', 'An unexpected error occurred'],
  ['anything else', 'thrown text', 'Unknown Error', 'An unexpected error occurred'],
])('a failed query says for %s: %s', async (_, error, title, description) => {
  const client = createQueryClient();
  await client.prefetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(error) });
  expect(toast()).toEqual([title, description]);
});

test('a failed query or mutation is not retried automatically', async () => {
  const client = createQueryClient();
  let calls = 0;
  const fail = () => {
    calls += 1;
    return Promise.reject(new NetworkError('unavailable'));
  };
  await client.prefetchQuery({ queryKey: ['x'], queryFn: fail });
  await new MutationObserver(client, { mutationFn: fail }).mutate().catch(() => undefined);
  expect(calls).toBe(2);
});

test('a 401 about the session signs out, one about a wrong PIN does not', async () => {
  const client = createQueryClient();
  const fail = (code: string) => {
    const error = new ApiError(401, '', JSON.stringify({ error: 'No', code, requestId: 'r' }));
    return new MutationObserver(client, { mutationFn: () => Promise.reject(error) }).mutate().catch(() => undefined);
  };
  client.setQueryData(USER_KEY, { id: 'amina' } as never);
  await fail('invalid_pin');
  expect(client.getQueryData(USER_KEY)).toEqual({ id: 'amina' });
  await fail('unauthenticated');
  expect(client.getQueryData(USER_KEY)).toBeNull();
});

test('cached data is dropped when the user changes, and stays while the user does', () => {
  const client = createQueryClient();
  const rates = () => client.getQueryData(['/api/rates']);
  const setUser = (id: string | undefined) => client.setQueryData(USER_KEY, (id ? { id } : null) as never);
  client.setQueryData(['/api/rates'], 'of amina');
  setUser('amina');
  setUser('amina');
  expect(rates()).toBe('of amina');
  setUser('juma');
  expect(rates()).toBeUndefined();
  client.setQueryData(['/api/rates'], 'of juma');
  setUser(undefined);
  expect(rates()).toBeUndefined();
});

test('data is refreshed and becomes stale as specified', () => {
  expect(transactionsQuery('dashboard')).toMatchObject({ staleTime: 20_000, refetchInterval: 30_000 });
  expect(transactionsQuery('history')).toMatchObject({ staleTime: 30_000, refetchOnWindowFocus: true });
  expect(ratesQuery()).toMatchObject({ staleTime: 20_000, refetchInterval: 30_000 });
  expect(balancesQuery()).toMatchObject({ refetchOnMount: true });
  expect(userQuery()).toMatchObject({
    staleTime: 0,
    refetchOnMount: true,
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
  });
});
