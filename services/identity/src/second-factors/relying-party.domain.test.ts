import { expect, test } from 'vitest';
import { passkeyAddress, relyingParty } from './relying-party.domain.ts';

test.each([
  ['https://vuka.example.com/', 'https://vuka.example.com', 'vuka.example.com'],
  ['https://vuka.example.com', 'https://evil.example.com', 'vuka.example.com'],
  ['https://vuka.example.com', 'http://localhost:3000', 'vuka.example.com'],
  ['https://192.0.2.7', 'https://192.0.2.7', undefined],
  ['http://127.0.0.1:3000', 'http://localhost:3000', 'localhost'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', undefined],
  ['http://127.0.0.1:3000', 'https://evil.example.com', undefined],
  ['http://127.0.0.1:3000', undefined, undefined],
])('at %s, for a page of %s, passkeys are bound to %s', (publicUrl, origin, id) => {
  expect(relyingParty(publicUrl, origin)?.id).toBe(id);
});

test('a demonstration is also at localhost', () => {
  expect(passkeyAddress('http://127.0.0.1:3000')).toBe('http://localhost:3000');
});
