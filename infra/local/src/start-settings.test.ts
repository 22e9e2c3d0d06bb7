import { expect, test } from 'vitest';
import { readSettings, refuseLiveDemo } from './start-settings.ts';

const SECRETS = {
  VUKA_PIN_PEPPER: 'p',
  VUKA_SESSION_SECRET: 's',
  VUKA_RECEIPT_KEY: 'r',
  VUKA_DATA_KEY_IDENTITY: 'i',
  VUKA_DATA_KEY_ADMIN: 'a',
  VUKA_DATA_KEY_INTEGRATION_LOG: 'l',
};
const PROVIDER = { PAWAPAY_URL: 'https://api.sandbox.pawapay.io', PAWAPAY_TOKEN: 't' };
const AUTHORITY = 'PAWAPAY_CALLBACK_AUTHORITY';

test('with a real provider the host that its callbacks are signed for is required', () => {
  for (const env of [PROVIDER, { ...PROVIDER, [AUTHORITY]: '' }, { ...PROVIDER, PAWAPAY_SIGNED_CALLBACKS: 'true' }]) {
    expect(() => readSettings(env)).toThrow(`With PAWAPAY_URL these must be set: ${AUTHORITY}.`);
    expect(() => readSettings({ ...env, ...SECRETS, NODE_ENV: 'production' })).toThrow(
      `In production these must be set: ${AUTHORITY}.`,
    );
  }
});

test('with the host, without signatures, or with the simulator it is', () => {
  expect(readSettings({ ...PROVIDER, [AUTHORITY]: 'pay.example.com' }).providerUrl).toBe(PROVIDER.PAWAPAY_URL);
  expect(readSettings({ ...PROVIDER, PAWAPAY_SIGNED_CALLBACKS: 'false' }).providerUrl).toBe(PROVIDER.PAWAPAY_URL);
  expect(readSettings({}).providerUrl).toBeUndefined();
});

test('a start with a provider that pays real money is refused outside production, where demo accounts have public PINs', () => {
  const live = { ...PROVIDER, PAWAPAY_URL: 'https://api.pawapay.io', [AUTHORITY]: 'pay.example.com' };
  const start = (env: NodeJS.ProcessEnv) => refuseLiveDemo(readSettings(env));
  expect(() => start(live)).toThrow('Set NODE_ENV=production, or the address of a sandbox.');
  start({ ...live, ...SECRETS, NODE_ENV: 'production' });
  for (const url of ['https://api.sandbox.pawapay.io', 'http://127.0.0.1:4010']) start({ ...live, PAWAPAY_URL: url });
  start({});
});

test('the commands beside a running product, which need no secrets, accept such a provider', () => {
  const live = { ...PROVIDER, PAWAPAY_URL: 'https://api.pawapay.io', [AUTHORITY]: 'pay.example.com' };
  expect(readSettings({ ...live, NODE_ENV: 'development' }).providerUrl).toBe(live.PAWAPAY_URL);
});

test('all settings that production lacks are named together', () => {
  expect(() => readSettings({ NODE_ENV: 'production' })).toThrow(
    'VUKA_PIN_PEPPER, VUKA_SESSION_SECRET, VUKA_RECEIPT_KEY, VUKA_DATA_KEY_IDENTITY, VUKA_DATA_KEY_ADMIN, ' +
      `VUKA_DATA_KEY_INTEGRATION_LOG, PAWAPAY_URL, PAWAPAY_TOKEN, ${AUTHORITY}`,
  );
});
