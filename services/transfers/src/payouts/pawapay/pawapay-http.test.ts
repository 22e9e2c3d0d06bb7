import { expect, test } from 'vitest';
import { parseJson } from './pawapay-http.ts';

test('characters that Postgres cannot store are removed from names and values', () => {
  expect(parseJson('{"a\\u0000b":["x\\u0000y","\\ud800"]}')).toEqual({ ab: ['xy', '\ufffd'] });
  expect(parseJson('{"a":"\\u00e9"}')).toEqual({ a: 'é' });
});

test('text that is not JSON parses as undefined', () => {
  expect(parseJson('{"a":')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});
