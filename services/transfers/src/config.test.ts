import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { config } from './config.ts';

beforeEach(() => {
  const url = 'http://127.0.0.1:3000';
  const env = {
    PORT: '3000',
    DATABASE_URL: 'postgresql://localhost/transfers',
    VUKA_SERVICE_KEY: 'x'.repeat(43),
    VUKA_SERVICE_PUBLIC_KEYS: `transfers:${'x'.repeat(43)}`,
    VUKA_RECEIPT_KEY: 'x'.repeat(32),
    WALLET_URL: url,
    RATES_URL: url,
    IDENTITY_URL: url,
    PAWAPAY_URL: url,
    PAWAPAY_TOKEN: 'token',
    PAWAPAY_CALLBACK_AUTHORITY: 'pay.example.com',
    PAWAPAY_SIGNED_CALLBACKS: '',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

test('transfers does not start with a missing or empty callback host', () => {
  expect(config().PAWAPAY_CALLBACK_AUTHORITY).toBe('pay.example.com');
  vi.stubEnv('PAWAPAY_CALLBACK_AUTHORITY', '');
  expect(() => config()).toThrow('PAWAPAY_CALLBACK_AUTHORITY must be set');
  vi.stubEnv('PAWAPAY_SIGNED_CALLBACKS', 'false');
  expect(config().PAWAPAY_CALLBACK_AUTHORITY).toBeUndefined();
});

test.each(['https://pay.example.com', 'pay.example.com/api', 'pay.example.com, other.example'])(
  '%s is not a host',
  (authority) => {
    vi.stubEnv('PAWAPAY_CALLBACK_AUTHORITY', authority);
    expect(() => config()).toThrow('PAWAPAY_CALLBACK_AUTHORITY: must be a host');
  },
);
