import { randomUUID } from 'node:crypto';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { admin, createIdentity } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

const address = '192.0.2.9';
const browser = { address, userAgent: '', device: undefined };

test.each([
  [
    'sign-ins',
    () => identity.send('POST', '/internal/login', { username: `${randomUUID()}@a.ke`, pin: '9753', browser }),
  ],
  ['registrations', ({ email }) => identity.register({ email, browser } as object)],
  ['PIN resets', ({ email }) => identity.send('POST', '/internal/pin-reset', { username: email, browser })],
  [
    'codes for a number',
    ({ id }) =>
      identity.send('POST', '/internal/verification/phone/send', {}, { ...admin, userId: id, isAdmin: false, address }),
  ],
] as [string, (user: { id: string; email: string }) => Promise<unknown>][])(
  'while the counts of a network are locked, its %s leave connections to others',
  async (_what, request) => {
    const { user, token } = await identity.register();
    const other = await identity.pool.connect();
    onTestFinished(() => other.release(true));
    await other.query('begin; lock table stranger_sign_ins');
    const requests = Array.from({ length: 20 }, () => request(user));
    await until(async () => {
      const { rows } = await other.query(`select from pg_locks
        where not granted and database = (select oid from pg_database where datname = current_database())`);
      return rows.length > 0;
    });
    expect(await identity.check([{ token }])).toMatchObject([{ ok: true }]);
    await other.query('rollback');
    await Promise.all(requests);
  },
);
