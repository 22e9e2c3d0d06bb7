import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { expect, test, vi } from 'vitest';
import { createApiKeys } from './api-keys.ts';

const KEY = `vuka_${'aB3-_'.repeat(8)}xyz`;
const UNKNOWN_KEY = `vuka_${'x'.repeat(43)}`;
const PROGRAM = { id: '0190a000-0000-7000-8000-0000000000a1', name: 'Bookkeeping' };

/** A route that requires an API key, with an identity that knows one key. */
function createDoor() {
  const asked = vi.fn(async (_path: string, { key }: { key: string }) => ({
    apiKey: key === KEY ? PROGRAM : null,
  }));
  const apiKeys = createApiKeys({ identity: { post: asked } as unknown as ServiceClient });
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  const app = createHttpApp({ service: 'gateway-test', logger, checks: {} });
  app.get('/door', (request) => apiKeys.require(request));
  const knock = (headers: Record<string, string>) => app.inject({ url: '/door', headers });
  return { asked, apiKeys, knock };
}

test.each(['Bearer', 'bearer', 'BEARER'])('a key is accepted with the scheme written as %s', async (scheme) => {
  const { knock } = createDoor();
  const answer = await knock({ authorization: `${scheme} ${KEY}` });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ ...PROGRAM, key: KEY });
});

test.each([
  ['nothing', {}],
  ['a session alone', { cookie: `vuka_session=${KEY}` }],
  ['another scheme', { authorization: `Basic ${KEY}` }],
  ['a key without a scheme', { authorization: KEY }],
  ['a scheme without a key', { authorization: 'Bearer ' }],
])('%s is refused with a challenge, and identity is not asked', async (_, headers: Record<string, string>) => {
  const { asked, knock } = createDoor();
  const answer = await knock(headers);
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({
    code: 'unauthenticated',
    error: 'An API key is needed: send Authorization: Bearer <key>.',
  });
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  expect(asked).not.toHaveBeenCalled();
});

test.each([
  ['a key that identity does not know', UNKNOWN_KEY, 1],
  ['a key without its end', KEY.slice(0, -1), 0],
  ['a text that is not a key', 'a-password', 0],
  ['two keys', `${KEY} ${KEY}`, 0],
])('%s is refused as wrong, and the refusal does not contain it', async (_, given, calls) => {
  const { asked, knock } = createDoor();
  const answer = await knock({ authorization: `Bearer ${given}` });
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({
    reason: 'api_key_unknown',
    error: 'This API key is wrong or revoked. An administrator can issue another.',
  });
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  expect(answer.body).not.toContain(given);
  expect(asked).toHaveBeenCalledTimes(calls);
});

test('a key is valid as long as identity knows it; while identity is unavailable the check fails as unavailable', async () => {
  const { asked, apiKeys } = createDoor();
  expect(await apiKeys.stands(KEY)).toBe(true);
  expect(await apiKeys.stands(UNKNOWN_KEY)).toBe(false);
  asked.mockRejectedValueOnce(unavailable());
  await expect(apiKeys.stands(KEY)).rejects.toThrow(AppError);
});
