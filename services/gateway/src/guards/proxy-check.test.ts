import { ConfigError } from '@vuka/service-kit/config';
import { expect, test, vi } from 'vitest';
import { checkProxy } from './proxy-check.ts';

const PUBLIC = 'https://vuka.example.com';

test.each([
  ['production', undefined, false, 'warned'],
  ['production', 'http://127.0.0.1:3000', false, 'warned'],
  ['production', PUBLIC, false, 'refused'],
  ['production', 'http://vuka.example.com', false, 'refused'],
  ['production', 'http://vuka.example.com', 'loopback', 'refused'],
  ['production', PUBLIC, 'loopback', 'accepted'],
  ['production', undefined, 'loopback', 'accepted'],
  ['development', 'http://192.0.2.7:3000', false, 'accepted'],
] as const)('%s at %s with trust in %s is %s', (NODE_ENV, VUKA_PUBLIC_URL, VUKA_TRUST_PROXY, outcome) => {
  const warn = vi.fn();
  const check = () => checkProxy({ NODE_ENV, VUKA_PUBLIC_URL, VUKA_TRUST_PROXY }, { warn });
  if (outcome === 'refused') expect(check).toThrow(ConfigError);
  else expect(check).not.toThrow();
  expect(warn).toHaveBeenCalledTimes(outcome === 'warned' ? 1 : 0);
});
