import { expect, test } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

test.each([
  'pin',
  'PIN',
  'newPin',
  'current_pin',
  'password',
  'accessToken',
  'Authorization',
  'api-key',
  'client_secret',
])('a field named %s is masked, however deep', (name) => {
  expect(maskSecrets({ list: [{ [name]: '1357', amount: '5.00' }] })).toEqual({
    list: [{ [name]: '***', amount: '5.00' }],
  });
});

test.each(['maxPinAttempts', 'shipping', 'tokens', 'reason', 'pinnedAt'])('a field named %s is left', (name) => {
  expect(maskSecrets({ [name]: 3, nothing: null })).toEqual({ [name]: 3, nothing: null });
});

test.each([
  ['a body as text', '{"data":{"pin":"1357","n":1}}', '{"data":{"pin":"***","n":1}}'],
  ['JSON within JSON', { requestBody: '{"token":"abc","n":1}' }, { requestBody: '{"token":"***","n":1}' }],
  ['JSON that was cut off', '{"data":{"amount":"5","pin":"13', '{"data":{"amount":"5","pin":***'],
  ['a quoted quote', '{"secret":"a\\"b", x', '{"secret":***, x'],
  ['escaped JSON that was cut off', '{"body":"{\\"pin\\":\\"1357\\",\\"n\\":1', '{"body":"{\\"pin\\":***,\\"n\\":1'],
  ['a list', '{"pin":["1357","2468"], x', '{"pin":***, x'],
  ['a form', 'amount=5&pin=1357&newPin=2468', 'amount=5&pin=***&newPin=***'],
  ['a header', 'Authorization: Bearer abc.def', 'Authorization: ***'],
  ['XML', '<pay><pin>1357</pin><n>1</n></pay>', '<pay><pin>***</pin><n>1</n></pay>'],
])('secrets in %s are masked', (_name, data, masked) => {
  expect(maskSecrets(data)).toEqual(masked);
});

test.each(['a pinned note: fine', '{"n": 1}', '[1, 2]', 'https://vuka.test/?n=1', '"'])('%j is left', (text) => {
  expect(maskSecrets(text)).toBe(text);
});
