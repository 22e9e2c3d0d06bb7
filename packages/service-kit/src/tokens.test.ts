import { expect, test } from 'vitest';
import { type Caller, createInternalTokens } from './tokens.ts';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const amina: Caller = {
  userId: '0190a000-0000-7000-8000-000000000001',
  isAdmin: false,
  adminId: null,
  merchantId: 'ABCD1234EFGH',
  name: 'Amina',
  phone: '+254712345678',
  pinVerified: true,
  pinRecent: true,
  isOnlyAdmin: false,
  requestId: 'request-1',
};

test('a caller token yields the same caller until it expires', () => {
  let now = 1_000;
  const tokens = createInternalTokens(SECRET, () => now);
  const token = tokens.signCaller(amina);
  expect(tokens.verifyCaller(token)).toEqual(amina);
  now += 60_001;
  expect(tokens.verifyCaller(token)).toBeUndefined();
});

test('a token that was changed, signed by another key, or of another kind is rejected', () => {
  const tokens = createInternalTokens(SECRET);
  const token = tokens.signCaller(amina);
  const [kind, payload = '', signature] = token.split('.');
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"isAdmin":false', '"isAdmin":true'));
  expect(tokens.verifyCaller(`${kind}.${forged.toString('base64url')}.${signature}`)).toBeUndefined();
  expect(createInternalTokens(`${SECRET}!`).verifyCaller(token)).toBeUndefined();
  expect(tokens.verifyService(token)).toBeUndefined();
  for (const garbage of ['', 'caller', 'caller..', 'caller.e30.', 'a.b.c.d']) {
    expect(tokens.verifyCaller(garbage)).toBeUndefined();
  }
});

test('a service token names the calling service', () => {
  const tokens = createInternalTokens(SECRET);
  expect(tokens.verifyService(tokens.signService('gateway'))).toBe('gateway');
});
