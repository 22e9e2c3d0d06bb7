import cookie from '@fastify/cookie';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { expect, test } from 'vitest';
import { browserOf, clearSessionCookie, sessionTokenOf, setDeviceCookie, setSessionCookie } from './cookies.ts';

const [TOKEN, DEVICE] = ['t'.repeat(43), 'd'.repeat(43)];

async function createDoor() {
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  const app = createHttpApp({ service: 'gateway-test', logger, checks: {}, server: { trustProxy: true } });
  await app.register(cookie);
  app.get('/in', (request, reply) => {
    setSessionCookie(request, reply, TOKEN);
    setDeviceCookie(request, reply, DEVICE);
    return {};
  });
  app.get('/out', (request, reply) => {
    clearSessionCookie(request, reply);
    return {};
  });
  app.get('/who', (request) => ({ session: sessionTokenOf(request) ?? null, ...browserOf(request) }));
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
}

test('over TLS the cookies have the __Host- prefix and what it requires, and no others are read', async () => {
  const ask = await createDoor();
  const tls = { 'x-forwarded-proto': 'https' };
  const set = [(await ask('/in', tls)).headers['set-cookie']].flat();
  expect(set).toEqual([
    `__Host-vuka_session=${TOKEN}; Path=/; HttpOnly; Secure; SameSite=Lax`,
    `__Host-vuka_device=${DEVICE}; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ]);
  const planted = await ask('/who', { ...tls, cookie: `vuka_session=${TOKEN}; vuka_device=${DEVICE}` });
  expect(planted.json()).not.toMatchObject({ session: TOKEN });
  expect(planted.json().device).toBeUndefined();
  const own = await ask('/who', { ...tls, cookie: `__Host-vuka_session=${TOKEN}; __Host-vuka_device=${DEVICE}` });
  expect(own.json()).toMatchObject({ session: TOKEN, device: DEVICE });
});

test('without TLS the session is the first cookie, and signing out removes it', async () => {
  const ask = await createDoor();
  expect([(await ask('/in')).headers['set-cookie']].flat()[0]).toBe(
    `vuka_session=${TOKEN}; Path=/; HttpOnly; SameSite=Lax`,
  );
  expect((await ask('/out')).headers['set-cookie']).toContain('vuka_session=; ');
});

test('a browser is described by its address, the start of its User-Agent, and a well-formed device cookie', async () => {
  const ask = await createDoor();
  const headers = { 'user-agent': 'x'.repeat(400), 'x-forwarded-for': '203.0.113.7', cookie: 'vuka_device=short' };
  expect((await ask('/who', headers)).json()).toEqual({
    session: null,
    address: '203.0.113.7',
    userAgent: 'x'.repeat(300),
  });
});
