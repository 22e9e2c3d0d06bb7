import { afterAll, beforeAll, expect, test } from 'vitest';
import { correctTimesAhead } from '#clock/times-ahead.ts';
import { admin, createIdentity } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Does `work` while the clock is most of a year ahead, and sets the clock right. */
async function ahead<Result>(work: () => Promise<Result>): Promise<Result> {
  const right = identity.clock.now();
  identity.clock.advance(300 * 24 * HOUR_MS);
  const result = await work();
  identity.clock.set(right);
  await correctTimesAhead(identity.db, right);
  return result;
}

test('the count of a network ends an hour after the clock was set right', async () => {
  const ask = async () => {
    const browser = { address: '192.0.2.80', userAgent: '' };
    return (await identity.send('POST', '/internal/pin-reset', { username: 'nobody@example.com', browser })).status;
  };
  await ahead(async () => {
    for (let time = 0; time < 30; time++) expect(await ask()).toBe(200);
  });
  expect(await ask()).toBe(429);
  identity.clock.advance(HOUR_MS);
  expect(await ask()).toBe(200);
});

test('a code of a clock that was ahead is void, and another one can be sent after a minute', async () => {
  const { user } = await identity.register();
  const caller = { ...admin, userId: user.id, isAdmin: false, adminId: null };
  const send = () => identity.send('POST', '/internal/verification/phone/send', {}, caller);
  const enter = async (code: string) =>
    (await identity.send('POST', '/internal/verification/phone/confirm', { code }, caller)).status;
  const { body } = await ahead(send);
  expect(await enter(body.demoCode)).toBe(400);
  expect((await send()).status).toBe(429);
  identity.clock.advance(MINUTE_MS);
  const next = await send();
  expect(await enter(next.body.demoCode)).toBe(200);
});

test('locks end a day after the clock was set right at the latest, and none begins', async () => {
  const signIn = async (email: string, pin: string) =>
    (await identity.send('POST', '/internal/login', { username: email, pin })).status;
  const mistyped = async (times: number) => {
    const { user, token } = await identity.register();
    for (let time = 0; time < times; time++) {
      expect(await signIn(user.email, '9753')).toBe(401);
      expect(await identity.check([{ token, pin: '9753' }])).toMatchObject([{ code: 'invalid_pin' }]);
    }
    return user.email;
  };
  const [locked, open] = await ahead(async () => [await mistyped(3), await mistyped(2)] as const);
  expect([await signIn(locked, '1357'), await signIn(open, '1357')]).toEqual([429, 200]);
  identity.clock.advance(24 * HOUR_MS);
  expect(await signIn(locked, '1357')).toBe(200);
});
