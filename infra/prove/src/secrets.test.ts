import { expect, test } from 'vitest';
import { findSecrets, secretsIn, type Written } from './secrets.ts';

const known = new Map([['pinPepper', 'q8Jv0Yw3mC1xT7hR']]);
const inLog = (text: string): Written => ({ place: 'log gateway.log', text });

test.each([
  ['a PIN', '{"level":30,"body":{"username":"a@b.test","pin":"1357"}}'],
  ['a PIN', '{"msg":"refused the PIN 1357 of a merchant"}'],
  ['a PIN', '{"msg":"the PIN is: 1357"}'],
  ['a PIN', '{"msg":"body was {\\"newPin\\":\\"8642\\"}"}'],
  ['a session cookie', 'cookie: vuka_session=0aK3_dLq9vXy2mN4bT7wRz'],
  ['a device cookie', 'cookie: vuka_device=0aK3_dLq9vXy2mN4bT7wRz'],
  ['a bearer token', '{"authorization":"Bearer Zt4kW9bN5sD2fG6hJ8kL"}'],
  ['an API key', '{"key":"vuka_Zt4kW9bN5sD2fG6hJ8kLq7Xy2mN4bT7wRz0aK3_dLq9"}'],
  ['a token of a service', 'caller.eyJjYWxsZXIiOnt9fQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ'],
  ['a database password', 'connect postgres://wallet:hunter2hunter2@127.0.0.1/wallet'],
  ['a private key', '-----BEGIN PRIVATE KEY-----'],
  ['pinPepper', 'the pepper is q8Jv0Yw3mC1xT7hR'],
])('%s is found anywhere in a text', (what, text) => {
  expect(secretsIn(inLog(text), known)).toEqual([what]);
});

test.each([
  '{"pin":"***"}',
  '{"authorization":"Bearer ***"}',
  '{"msg":"a new PIN, 2026-11-30"}',
  '{"pinVersion":3,"msg":"a wrong PIN was given"}',
  '{"sourceAmount":"1357","key":"01a1ff98-016a-7000-83f0-a087426cbd8b:hold"}',
])('a masked or merely similar text is not reported: %s', (text) => {
  expect(secretsIn(inLog(text), known)).toEqual([]);
});

test('a finding has the place and the kind, and never the secret itself', async () => {
  async function* places() {
    yield inLog('{"pin":"8642"}');
    yield inLog('{"pin":"8642"}');
  }
  expect(await findSecrets(places(), known)).toEqual(['log gateway.log: a PIN, 2 times']);
});
