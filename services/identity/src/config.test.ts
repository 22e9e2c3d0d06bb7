import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { config } from './config.ts';

const SECRET = 'x'.repeat(43);
beforeEach(() => {
  const env = {
    NODE_ENV: 'production',
    PORT: '3000',
    DATABASE_URL: 'postgresql://localhost/identity',
    VUKA_SERVICE_KEY: SECRET,
    VUKA_SERVICE_PUBLIC_KEYS: `identity:${SECRET}`,
    VUKA_PIN_PEPPER: SECRET,
    VUKA_DATA_KEY: SECRET,
    VUKA_SESSION_SECRET: SECRET,
    VUKA_SHOW_CODES: 'true',
    VUKA_PUBLIC_URL: 'http://localhost:3000',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

test('identity does not start where it would show the codes that replace a PIN to the public', () => {
  expect(config().VUKA_SHOW_CODES).toBe(true);
  // Without an address, a public one may have been forgotten.
  for (const publicUrl of ['https://vuka.example.com', '']) {
    vi.stubEnv('VUKA_PUBLIC_URL', publicUrl);
    expect(() => config()).toThrow('VUKA_SHOW_CODES');
  }
  vi.stubEnv('VUKA_SHOW_CODES', '');
  expect(config().VUKA_SHOW_CODES).toBe(false);
});
