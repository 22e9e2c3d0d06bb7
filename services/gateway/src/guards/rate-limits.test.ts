import cookie from '@fastify/cookie';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { afterEach, expect, test, vi } from 'vitest';
import { addRateLimits } from './rate-limits.ts';
import { createSessions } from './sessions.ts';

/** A limit is reached by more than a thousand requests. */
vi.setConfig({ testTimeout: 60_000 });
afterEach(() => vi.restoreAllMocks());

const RATE_LIMITED = expect.objectContaining({ code: 'rate_limited' });
const noKnownSession = () => undefined;
const createApp = () =>
  createHttpApp({ service: 'gateway-test', logger: createLogger({ service: 'test', level: 'silent' }), checks: {} });

test('a clock that is set back does not prolong the limit of a user’s transfers', async () => {
  const limits = await addRateLimits(createApp(), 1, noKnownSession);
  for (let transfer = 0; transfer < 30; transfer++) limits.allowTransfer('asha');
  expect(() => limits.allowTransfer('asha')).toThrow(RATE_LIMITED);
  const [wall, monotonic] = [Date.now(), performance.now()];
  vi.spyOn(Date, 'now').mockReturnValue(wall - 3_600_000);
  vi.spyOn(performance, 'now').mockReturnValue(monotonic + 60_001);
  limits.allowTransfer('asha');
});

test('a clock that is set back does not prolong the limit of an address, nor that of a route', async () => {
  const app = createApp();
  await app.register(cookie);
  const { verify: config } = await addRateLimits(app, 1, noKnownSession);
  app.get('/api/rates', async () => ({}));
  app.get('/api/verify', { config }, async () => ({}));
  const statuses = async () =>
    [await app.inject('/api/rates'), await app.inject('/api/verify')].map(({ statusCode }) => statusCode);
  for (let call = 0; call < 1_200; call++) await app.inject('/api/rates');
  for (let call = 0; call < 60; call++) await app.inject('/api/verify');
  expect(await statuses()).toEqual([429, 429]);
  const [wall, monotonic] = [Date.now(), performance.now()];
  vi.spyOn(Date, 'now').mockReturnValue(wall - 3_600_000);
  vi.spyOn(performance, 'now').mockReturnValue(monotonic + 60_001);
  expect(await statuses()).toEqual([200, 200]);
});

test('a user changes the PIN ten times a day', async () => {
  const limits = await addRateLimits(createApp(), 1, noKnownSession);
  for (let change = 0; change < 10; change++) limits.allowPinChange('asha');
  expect(() => limits.allowPinChange('asha')).toThrow(RATE_LIMITED);
  limits.allowPinChange('neema');
});

test('a network registers six hundred accounts an hour, and a site with many networks four times as many', async () => {
  const limits = await addRateLimits(createApp(), 1, noKnownSession);
  const registerFrom = (block: number) => limits.allowRegistration(`2001:db8:1:${(block * 256).toString(16)}::1`)();
  for (let account = 0; account < 600; account++) registerFrom(1);
  expect(() => registerFrom(1)).toThrow(RATE_LIMITED);
  for (let account = 0; account < 1_800; account++) registerFrom(2 + (account % 200));
  expect(() => registerFrom(255)).toThrow(RATE_LIMITED);
  limits.allowRegistration('2001:db8:2::1');
  // What was refused elsewhere does not count.
  for (let attempt = 0; attempt < 601; attempt++) limits.allowRegistration('198.51.100.7');
});

test('the sign-ins of a network are bounded however many devices it names', async () => {
  const limits = await addRateLimits(createApp(), 1, noKnownSession);
  for (let attempt = 0; attempt < 600; attempt++) limits.allowSignIn('198.51.100.7');
  expect(() => limits.allowSignIn('198.51.100.7')).toThrow(RATE_LIMITED);
  limits.allowSignIn('198.51.100.8');
});

test('an address whose sign-ins a stranger has used up still signs in from a device that it names', async () => {
  const app = createApp();
  await app.register(cookie);
  const { signIn: config } = await addRateLimits(app, 1, noKnownSession);
  app.post('/sign-in', { config }, async () => ({}));
  const signIn = async (device?: string) => {
    const headers = device ? { cookie: `vuka_device=${device.repeat(43)}` } : {};
    return (await app.inject({ method: 'POST', url: '/sign-in', headers })).statusCode;
  };
  for (let attempt = 0; attempt < 60; attempt++) expect(await signIn()).toBe(200);
  expect(await signIn()).toBe(429);
  for (let attempt = 0; attempt < 60; attempt++) expect(await signIn('d')).toBe(200);
  expect([await signIn('d'), await signIn('e'), await signIn()]).toEqual([429, 200, 429]);
});

/** Orders and a page, before an identity that knows the sessions `s` and `t`, of one user, until they end. */
async function createShop() {
  const valid = new Set(['s'.repeat(43), 't'.repeat(43)]);
  const user = { id: '0190a000-0000-7000-8000-0000000000a1', fullName: 'Amina', isAdmin: false };
  const judge = ({ token }: { token: string }) =>
    valid.has(token) ? { ok: true, user, endsInSeconds: 900 } : { ok: false, code: 'unauthenticated' };
  const identity = { post: async (_: string, { items }: { items: never[] }) => ({ results: items.map(judge) }) };
  const sessions = createSessions({ identity: identity as unknown as ServiceClient });
  const app = createApp();
  await app.register(cookie);
  await addRateLimits(app, 1, sessions.knownSessionOf);
  app.post('/api/order', async (request) => (await sessions.require(request)).user.fullName);
  app.get('/*', async () => 'a page');
  const statusOf = async (method: 'GET' | 'POST', url: string, session?: string) => {
    const headers = session ? { cookie: `vuka_session=${session}` } : {};
    return (await app.inject({ method, url, headers })).statusCode;
  };
  return {
    order: (session?: string) => statusOf('POST', '/api/order', session?.padEnd(43, session)),
    openPage: () => statusOf('GET', '/send'),
    signIn: () => sessions.opened('s'.repeat(43)),
    endSessions: () => valid.clear(),
  };
}

test('a stranger who uses up a shared address leaves its signed-in customers their orders, and everybody the pages', async () => {
  const { order, openPage } = await createShop();
  expect(await order('s')).toBe(200);
  // The session's first call was counted before it was confirmed.
  for (let call = 0; call < 1_199; call++) expect(await order()).toBe(401);
  expect([await order(), await order('s'), await openPage()]).toEqual([429, 200, 200]);
});

test('a customer who signs in while a stranger uses up the address sends orders at once', async () => {
  const { order, signIn } = await createShop();
  for (let call = 0; call < 1_200; call++) await order();
  expect(await order('s')).toBe(429);
  signIn();
  expect(await order('s')).toBe(200);
});

test('invented sessions are counted by address', async () => {
  const { order } = await createShop();
  for (let call = 0; call < 1_200; call++) expect(await order(`invented-${call}-`)).toBe(401);
  expect(await order('another-')).toBe(429);
});

test('a session makes 1,200 calls a minute: whoever has stolen one leaves its owner the others, and the address', async () => {
  const { order } = await createShop();
  for (let call = 0; call < 1_201; call++) expect(await order('s')).toBe(200);
  expect([await order('s'), await order('t'), await order()]).toEqual([429, 200, 401]);
});

test('a stranger who uses up the sign-ins of a network does not stop those on devices that the account knows', async () => {
  const limits = await addRateLimits(createApp(), 1, noKnownSession);
  for (let attempt = 0; attempt < 600; attempt++) limits.allowSignIn('198.51.100.7');
  expect(() => limits.allowSignIn('198.51.100.7')).toThrow(RATE_LIMITED);
  for (let attempt = 0; attempt < 5; attempt++) limits.allowSignIn('198.51.100.7', 'amina@vuka.test');
  expect(() => limits.allowSignIn('198.51.100.7', 'Amina@vuka.test')).toThrow(RATE_LIMITED);
});

test('a former device of an account cannot use up the sign-ins of its owner', async () => {
  const limits = await addRateLimits(createApp(), 1, noKnownSession);
  for (let attempt = 0; attempt < 605; attempt++) limits.allowSignIn('203.0.113.5', 'amina@vuka.test');
  expect(() => limits.allowSignIn('203.0.113.5', 'amina@vuka.test')).toThrow(RATE_LIMITED);
  limits.allowSignIn('198.51.100.7', 'amina@vuka.test');
});

test('sign-ins on known devices beyond the share of their network count like the others', async () => {
  const limits = await addRateLimits(createApp(), 1, noKnownSession);
  for (let attempt = 0; attempt < 1_800 + 600; attempt++) limits.allowSignIn('198.51.100.7', `user-${attempt}`);
  expect(() => limits.allowSignIn('198.51.100.7', 'baraka@vuka.test')).toThrow(RATE_LIMITED);
  limits.allowSignIn('198.51.100.8', 'baraka@vuka.test');
});

test('a session that has ended counts for its address again', async () => {
  const { order, endSessions } = await createShop();
  expect(await order('s')).toBe(200);
  endSessions();
  expect(await order('s')).toBe(401);
  for (let call = 0; call < 1_199; call++) await order();
  expect(await order('s')).toBe(429);
});
