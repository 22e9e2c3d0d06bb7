import cookie from '@fastify/cookie';
import { unavailable } from '@vuka/service-kit/app-error';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { expect, test } from 'vitest';
import type { ApiDeps } from '#api/api-deps.ts';
import { accountRoutes } from './accounts.routes.ts';

const [FORMER, NEW] = ['f'.repeat(43), 'n'.repeat(43)];
const USER = {
  id: '0190a1b2-c3d4-7000-8000-000000000001',
  username: 'amina@vuka.test',
  email: 'amina@vuka.test',
  fullName: 'Amina Otieno',
  phone: '+254712345678',
  defaultCurrency: 'KES',
  country: 'Kenya',
  isAdmin: false,
  adminId: null,
  merchantData: { merchantId: 'ABCD1234EFGH' },
  createdAt: '2026-01-05T09:00:00.000Z',
};

/** A gateway in front of an identity service that signs everybody in. */
async function createDoor(endSession: () => void = () => undefined) {
  const ended: unknown[] = [];
  const identity = {
    async post(path: string, body: object) {
      if (path !== '/internal/logout') return { user: USER, token: NEW };
      endSession();
      ended.push(body);
      return { ok: true };
    },
  } as unknown as ServiceClient;
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  const app = createHttpApp({ service: 'gateway-test', logger, checks: {} });
  await app.register(cookie);
  accountRoutes(app, {
    sessions: { opened: () => undefined },
    services: { identity },
    signIns: identity,
    limits: { signIn: {}, registrationOrCode: {}, allowSignIn: () => undefined },
  } as unknown as ApiDeps);
  const signIn = (headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/api/login', headers, payload: { username: USER.email, pin: '1357' } });
  return { signIn, ended };
}

test('a sign-in ends the session that the browser had', async () => {
  const { signIn, ended } = await createDoor();
  const answer = await signIn({ cookie: `vuka_session=${FORMER}` });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['set-cookie']).toContain(`vuka_session=${NEW}; `);
  expect(ended).toEqual([{ token: FORMER }]);
});

test('without a former session nothing ends, and a sign-in succeeds if the former one cannot be ended', async () => {
  const first = await createDoor();
  expect((await first.signIn()).statusCode).toBe(200);
  expect(first.ended).toEqual([]);
  const failing = await createDoor(() => {
    throw unavailable();
  });
  expect((await failing.signIn({ cookie: `vuka_session=${FORMER}` })).statusCode).toBe(200);
});
