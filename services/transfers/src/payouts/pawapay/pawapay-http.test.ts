import { expect, test } from 'vitest';
import { parseJson } from './pawapay-http.ts';

test('what Postgres cannot keep is left out, in names and in values', () => {
  expect(parseJson('{"a\\u0000b":["x\\u0000y","\\ud800"]}')).toEqual({ ab: ['xy', '\ufffd'] });
  expect(parseJson('{"a":"\\u00e9"}')).toEqual({ a: 'é' });
});

test('what is not JSON is undefined', () => {
  expect(parseJson('{"a":')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});
