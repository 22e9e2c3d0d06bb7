import { afterEach, expect, test, vi } from 'vitest';
import { config } from './config.ts';

const SECRET = 'x'.repeat(43);
const ENV = {
  PORT: '3000',
  DATABASE_URL: 'postgresql://localhost/admin',
  VUKA_SERVICE_KEY: SECRET,
  VUKA_SERVICE_PUBLIC_KEYS: `admin:${SECRET}`,
  VUKA_DATA_KEY: SECRET,
  IDENTITY_URL: 'http://identity:3000',
  TRANSFERS_URL: 'http://transfers:3000',
  WALLET_URL: 'http://wallet:3000',
};
afterEach(() => vi.unstubAllEnvs());

test.each([
  ['production', '', '', 'hidden'],
  ['production', '', 'http://localhost:3000', 'hidden'],
  ['production', 'true', '', 'hidden'],
  ['production', 'true', 'https://vuka.example.com', 'hidden'],
  ['production', 'true', 'http://localhost:3000', 'shown'],
  ['development', '', '', 'shown'],
])(
  'codes that replace a PIN: in %s with VUKA_SHOW_CODES=%s at "%s" they are %s to administrators',
  (NODE_ENV, VUKA_SHOW_CODES, VUKA_PUBLIC_URL, outcome) => {
    const env = { ...ENV, NODE_ENV, VUKA_SHOW_CODES, VUKA_PUBLIC_URL };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(config().hidesCodes).toBe(outcome === 'hidden');
  },
);
