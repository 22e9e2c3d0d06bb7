import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isInner } from './outer-addresses.ts';
import { createPawapayHttp } from './pawapay-http.ts';
import { readPawapayStatement } from './pawapay-statement.ts';

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1', '::1', '::ffff:10.0.0.1', 'fd00::1', 'fe80::1'])(
  '%s lies inside',
  (address) => expect(isInner(address)).toBe(true),
);
test.each(['8.8.8.8', '41.90.0.1', '172.32.0.1', '2606:4700::1'])('%s lies outside', (address) =>
  expect(isInner(address)).toBe(false),
);

/** A provider that names any address for its statement. */
let named = '';
const provider = createServer((request, response) => {
  const answer = request.method === 'POST' ? { statementId: 's', status: 'ACCEPTED' } : { status: 'COMPLETED' };
  response.end(JSON.stringify({ ...answer, downloadUrl: named }));
});
beforeAll(() => new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve)));
afterAll(() => void provider.close());

test.each([
  'https://localhost:5432/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://0x7f000001/',
  'https://2130706433/',
])('no statement is downloaded from %s, whatever the provider says', async (url) => {
  named = url;
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const http = createPawapayHttp({ baseUrl, token: 'token' });
  const period = { from: new Date('2026-01-05T00:00:00Z'), to: new Date('2026-01-06T00:00:00Z') };
  const needs = { isNeeded: () => true, most: 1 };
  const result = await readPawapayStatement({ http, baseUrl, onExchange: () => undefined }, period, needs);
  await http.close();
  expect(result).toEqual({ kind: 'unavailable', reason: expect.stringContaining('inner address') });
});
