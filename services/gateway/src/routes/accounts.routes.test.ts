import cookie from '@fastify/cookie';
import { unavailable } from '@vuka/service-kit/app-error';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { expect, test } from 'vitest';
import type { ApiDeps } from '#api/api-deps.ts';
import { addRateLimits } from '#guards/rate-limits.ts';
import { accountRoutes } from './accounts.routes.ts';

const [FORMER, NEW, OWN_DEVICE] = ['f'.repeat(43), 'n'.repeat(43), 'd'.repeat(43)];
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

type Devices = { items: { username: string; device: string }[] };
const isOwn = ({ username, device }: Devices['items'][number]) => username === USER.email && device === OWN_DEVICE;

/** A gateway in front of an identity service that signs everybody in, and knows one device of the user. */
async function createDoor(endSession: () => void = () => undefined) {
  const ended: unknown[] = [];
  const identity = {
    async post(path: string, body: object) {
      if (path === '/internal/devices/check-batch') return { results: (body as Devices).items.map(isOwn) };
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
    sessions: { opened: () => undefined, ended: () => undefined },
    services: { identity },
    signIns: identity,
    limits: await addRateLimits(app, 1, () => undefined),
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

test('a network that invents devices is refused after 600 sign-ins a minute, and its users still sign in on their own devices', async () => {
  const { signIn } = await createDoor();
  const from = async (device: string) => (await signIn({ cookie: `vuka_device=${device}` })).statusCode;
  expect(await from(OWN_DEVICE)).toBe(200);
  for (let attempt = 0; attempt < 600; attempt++) expect(await from(`invented-${attempt}-`.padEnd(43, 'x'))).toBe(200);
  expect([await from('another-'.padEnd(43, 'x')), await from(OWN_DEVICE)]).toEqual([429, 200]);
});
