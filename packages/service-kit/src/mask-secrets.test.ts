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
