import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createPawapayHttp, parseJson } from './pawapay-http.ts';

test('characters that Postgres cannot store are removed from names and values', () => {
  expect(parseJson('{"a\\u0000b":["x\\u0000y","\\ud800"]}')).toEqual({ ab: ['xy', '\ufffd'] });
  expect(parseJson('{"a":"\\u00e9"}')).toEqual({ a: 'é' });
});

test('text that is not JSON parses as undefined', () => {
  expect(parseJson('{"a":')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});

test('a request carries the trace of its transfer to the provider', async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.traceparent);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const http = createPawapayHttp({ baseUrl: `http://127.0.0.1:${port}`, token: 'secret' });
  const traceparent = '00-0190a000000070008000000000000001-8000000000000001-00';
  await http.request('POST', '/payouts', { body: '{}', traceparent });
  await http.request('GET', '/payouts');
  await http.close();
  server.close();
  expect(seen).toEqual([traceparent, undefined]);
});
