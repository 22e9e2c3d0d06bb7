import { expect, test } from 'vitest';
import { createInternalTokens } from './tokens.ts';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const LIFE_MS = 60_000;

test('a token yields its content until it expires', () => {
  let now = 1_000;
  const tokens = createInternalTokens(SECRET, () => now);
  const token = tokens.sign('order', { loaves: 2 }, LIFE_MS);
  expect(tokens.open('order', token)).toMatchObject({ loaves: 2 });
  now += LIFE_MS + 1;
  expect(tokens.open('order', token)).toBeUndefined();
});

test('a token that was changed, signed by another key, or of another kind is rejected', () => {
  const tokens = createInternalTokens(SECRET);
  const token = tokens.sign('order', { loaves: 2 }, LIFE_MS);
  const [kind, payload = '', signature] = token.split('.');
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"loaves":2', '"loaves":9'));
  expect(tokens.open('order', `${kind}.${forged.toString('base64url')}.${signature}`)).toBeUndefined();
  expect(createInternalTokens(`${SECRET}!`).open('order', token)).toBeUndefined();
  expect(tokens.verifyService(token)).toBeUndefined();
  for (const garbage of ['', 'order', 'order..', 'order.e30.', 'a.b.c.d']) {
    expect(tokens.open('order', garbage)).toBeUndefined();
  }
});

test('a service token names the calling service', () => {
  const tokens = createInternalTokens(SECRET);
  expect(tokens.verifyService(tokens.signService('gateway'))).toBe('gateway');
});
