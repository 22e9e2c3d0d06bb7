import { expect, test } from 'vitest';
import { planServices, serviceNames, withoutSecrets } from './services.ts';
import { readSettings } from './start-settings.ts';

const secret = (name: string) => `${name}-as-the-operator-set-it-at-32-characters`;
const SECRETS = [
  'VUKA_PIN_PEPPER',
  'VUKA_SESSION_SECRET',
  'VUKA_RECEIPT_KEY',
  'VUKA_AUDIT_KEY',
  'VUKA_DATA_KEY',
  'VUKA_DATA_KEY_IDENTITY',
  'VUKA_DATA_KEY_ADMIN',
  'VUKA_DATA_KEY_INTEGRATION_LOG',
  'VUKA_ADMIN_PIN',
  'PAWAPAY_TOKEN',
  'SIMULATOR_TOKEN',
  'SMTP_URL',
  'AFRICASTALKING_API_KEY',
  'POSTGRES_PASSWORD_WALLET',
  'RABBITMQ_PASSWORD_ADMIN',
];

function plan(env: NodeJS.ProcessEnv) {
  const settings = readSettings({ VUKA_SEPARATE_WORKER: 'true', ...env });
  const names = serviceNames(settings);
  const plans = planServices({
    settings,
    secrets: {
      pinPepper: secret('VUKA_PIN_PEPPER'),
      sessionSecret: secret('VUKA_SESSION_SECRET'),
      receiptKey: secret('VUKA_RECEIPT_KEY'),
      auditKey: secret('VUKA_AUDIT_KEY'),
      identityDataKey: secret('VUKA_DATA_KEY_IDENTITY'),
      adminDataKey: secret('VUKA_DATA_KEY_ADMIN'),
      integrationLogDataKey: secret('VUKA_DATA_KEY_INTEGRATION_LOG'),
      providerToken: secret('PAWAPAY_TOKEN'),
      passwords: { vuka_wallet_owner: secret('the owner of the ledger') },
    },
    server: 'postgresql://postgres@127.0.0.1:5432/postgres',
    ports: Object.fromEntries([...names, 'gateway metrics'].map((name, index) => [name, 4_000 + index])),
    webRoot: '/nowhere',
  });
  return plans.map(({ name, env: own }) => ({ name, env: { ...withoutSecrets(settings.env), ...own } }));
}

/** The services whose process can read it, for each secret of the environment. */
function readers(): Record<string, string[]> {
  const env = Object.fromEntries(SECRETS.map((name) => [name, secret(name)]));
  const processes = plan({ ...env, NODE_ENV: 'development', LOG_LEVEL: 'warn' });
  const known = processes.flatMap(({ env: all }) => Object.values(all));
  expect(known.filter((value) => value?.includes(encodeURIComponent(secret('the owner of the ledger'))))).toEqual([]);
  expect(processes.every(({ env: all }) => all.LOG_LEVEL === 'warn')).toBe(true);
  return Object.fromEntries(
    SECRETS.map((name) => [
      name,
      processes.filter((service) => Object.values(service.env).includes(secret(name))).map((service) => service.name),
    ]),
  );
}

test('each secret of the environment reaches only the services that need it', () => {
  expect(readers()).toEqual({
    VUKA_PIN_PEPPER: ['identity'],
    VUKA_SESSION_SECRET: ['identity'],
    VUKA_RECEIPT_KEY: ['transfers'],
    VUKA_AUDIT_KEY: ['admin'],
    VUKA_DATA_KEY: [],
    VUKA_DATA_KEY_IDENTITY: ['identity'],
    VUKA_DATA_KEY_ADMIN: ['admin'],
    VUKA_DATA_KEY_INTEGRATION_LOG: ['integration-log'],
    VUKA_ADMIN_PIN: [],
    PAWAPAY_TOKEN: ['transfers', 'transfers-worker', 'payout-simulator'],
    SIMULATOR_TOKEN: [],
    SMTP_URL: ['admin'],
    AFRICASTALKING_API_KEY: ['admin'],
    POSTGRES_PASSWORD_WALLET: [],
    RABBITMQ_PASSWORD_ADMIN: [],
  });
});

test('transfers are executed by the worker or beside the API, never by neither', () => {
  const executing = (env: NodeJS.ProcessEnv) =>
    plan({ NODE_ENV: 'development', ...env })
      .filter(({ name, env: own }) => name === 'transfers-worker' || own.VUKA_WITH_WORKER === 'true')
      .map(({ name }) => name);
  expect(executing({ VUKA_SEPARATE_WORKER: 'true' })).toEqual(['transfers-worker']);
  expect(executing({ VUKA_SEPARATE_WORKER: '' })).toEqual(['transfers']);
});

test('with a HOST that is open to a network, only the app itself listens there: no service, and no metrics', () => {
  const listening = plan({ NODE_ENV: 'development', HOST: '0.0.0.0' }).flatMap(({ name, env }) => [
    [name, env.HOST],
    ...(env.METRICS_PORT ? [[`metrics of ${name}`, env.METRICS_HOST ?? env.HOST]] : []),
  ]);
  expect(listening.filter(([, host]) => host !== '127.0.0.1')).toEqual([['gateway', '0.0.0.0']]);
});
