import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import { createHttpApp, type HttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSecurityHeaders, answerPage, serveWebApp, trimApiAnswers } from './web-app.ts';

let root: string;
let app: HttpApp;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vuka-web-'));
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'index.html'), '<!doctype html><title>Vuka</title><script>go()</script>');
  await writeFile(join(root, 'assets/page.js'), 'export {};');
  await writeFile(join(root, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  app = createHttpApp({ service: 'gateway-test', logger, checks: {}, answerUnknown: answerPage(root) });
  await app.register(cookie);
  addSecurityHeaders(app, root);
  trimApiAnswers(app);
  app.get('/api/about', async () => ({}));
  await serveWebApp(app, root);
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const ANSWERS = [
  ['a page', '/send', 200],
  ['a script', '/assets/page.js', 200],
  ['an API answer', '/api/about', 200],
  ['a missing address', '/api/nothing', 404],
  ['a folder', '/assets/', 400],
] as const;

test.each(ANSWERS)(
  '%s is for HTTPS only, has its stated type, and is shown in no frame',
  async (_what, url, status) => {
    const { statusCode, headers } = await app.inject({ url });
    expect(statusCode).toBe(status);
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-type']).toMatch(/; charset=utf-8$/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  },
);

test.each(['/', '/send'])('a HEAD of %s is answered like its GET', async (url) => {
  const [head, get] = await Promise.all([app.inject({ method: 'HEAD', url }), app.inject({ url })]);
  expect([head.statusCode, head.headers['content-type']]).toEqual([get.statusCode, get.headers['content-type']]);
  expect(get.statusCode).toBe(200);
});

test('an unknown address with a dot is the page for a browser that opens it, and missing as a file', async () => {
  const as = (accept: string) => app.inject({ url: '/no/such.thing', headers: { accept } });
  const [opened, loaded] = await Promise.all([as('text/html,*/*;q=0.8'), as('*/*')]);
  expect([opened.statusCode, opened.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect([loaded.statusCode, loaded.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
});

test('a page runs only scripts of this site and its own inline ones, and tells other sites no address', async () => {
  const { headers } = await app.inject({ url: '/send' });
  const policy = String(headers['content-security-policy']).split(';');
  const scripts = policy.find((rule) => rule.startsWith('script-src'));
  expect(scripts).toMatch(/^script-src 'self' 'sha256-[\w+/=]+'$/);
  expect(policy).toEqual(expect.arrayContaining(["default-src 'self'", "object-src 'none'", "base-uri 'none'"]));
  expect(headers['referrer-policy']).toBe('same-origin');
});

test('an address that ends like an image has the policy of a page when a browser opens it', async () => {
  const [page, other] = await Promise.all([
    app.inject({ url: '/send' }),
    app.inject({ url: '/x.svg', headers: { accept: 'text/html,*/*;q=0.8' } }),
  ]);
  expect(other.headers['content-type']).toMatch(/^text\/html/);
  for (const header of ['content-security-policy', 'cross-origin-opener-policy', 'referrer-policy'])
    expect([header, other.headers[header]]).toEqual([header, page.headers[header]]);
});

test.each([
  ['a script', '/assets/page.js', "frame-ancestors 'none'", 400],
  ['the icon', '/favicon.svg', "frame-ancestors 'none'", 500],
  ['an API answer', '/api/about', "default-src 'none'; frame-ancestors 'none'", 500],
])('%s has no more headers than it needs', async (_what, url, policy, most) => {
  const { headers } = await app.inject({ url });
  expect(headers['content-security-policy']).toBe(policy);
  expect(headers['referrer-policy']).toBeUndefined();
  const bytes = Object.entries(headers).map(([name, value]) => name.length + String(value).length + 4);
  expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThan(most);
});

test('an API answer is kept by no cache, a script for a year', async () => {
  const of = async (url: string) => (await app.inject({ url })).headers['cache-control'];
  expect(await of('/api/about')).toBe('no-store');
  expect(await of('/%61pi/about')).toBe('no-store');
  expect(await of('/api/nothing')).toBe('no-store');
  expect(await of('/assets/page.js')).toBe('public, max-age=31536000, immutable');
});

test('TRACE echoes nothing', async () => {
  const { statusCode, body } = await app.inject({
    method: 'TRACE' as 'GET',
    url: '/send',
    headers: { cookie: 'a=secret' },
  });
  expect(statusCode).toBe(404);
  expect(body).not.toContain('secret');
});
