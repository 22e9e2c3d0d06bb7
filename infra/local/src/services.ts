import { join } from 'node:path';
import { urlOf } from './databases.ts';
import type { Secrets } from './secrets.ts';
import { generateServiceKeys, type ServiceKeys } from './service-keys.ts';
import { ROOT, type Settings } from './start-settings.ts';

export interface ServicePlan {
  name: string;
  /** From the repository's root. */
  script: string;
  env: Record<string, string>;
  /** Busy services get room for young objects; the others keep their memory at rest small. */
  isHot: boolean;
  /** Services stop in this order: callers before the services that they call. */
  stopsAt: number;
  port: number;
}

export interface PlanInput {
  settings: Settings;
  secrets: Secrets;
  /** The server's address, as its administrator. */
  server: string;
  /** By service name. */
  ports: Record<string, number>;
  webRoot: string;
}

/** Every process of a run, in display order. */
const DECLARED = [
  { name: 'identity', database: 'identity', script: 'services/identity/src/main.ts', isHot: false, stopsAt: 3 },
  { name: 'wallet', database: 'wallet', script: 'services/wallet/src/main.ts', isHot: true, stopsAt: 3 },
  { name: 'rates', database: 'rates', script: 'services/rates/src/main.ts', isHot: false, stopsAt: 3 },
  { name: 'transfers', database: 'transfers', script: 'services/transfers/src/main.ts', isHot: true, stopsAt: 2 },
  {
    name: 'transfers-worker',
    database: 'transfers',
    script: 'services/transfers/src/worker.ts',
    isHot: true,
    stopsAt: 2,
  },
  { name: 'admin', database: 'admin', script: 'services/admin/src/main.ts', isHot: false, stopsAt: 2 },
  {
    name: 'integration-log',
    database: 'integration_log',
    script: 'services/integration-log/src/main.ts',
    isHot: false,
    stopsAt: 3,
  },
  {
    name: 'payout-simulator',
    database: 'payout_simulator',
    script: 'infra/payout-simulator/src/main.ts',
    isHot: false,
    stopsAt: 3,
  },
  { name: 'gateway', database: 'gateway', script: 'services/gateway/src/main.ts', isHot: true, stopsAt: 1 },
] as const;

const WALLET_MIGRATION = 'services/wallet/src/migrate.ts';

/** The commands of services that `npm run` offers, and the secrets that each reads. */
export const SERVICE_COMMANDS = {
  'create-admin': {
    service: 'identity',
    script: 'services/identity/src/create-admin.ts',
    env: ({ pinPepper }: Secrets) => ({ VUKA_PIN_PEPPER: pinPepper }),
  },
  'unlock-admin': {
    service: 'identity',
    script: 'services/identity/src/unlock-admin.ts',
    env: ({ pinPepper }: Secrets) => ({ VUKA_PIN_PEPPER: pinPepper }),
  },
  'verify-audit': {
    service: 'admin',
    script: 'services/admin/src/verify-audit.ts',
    env: ({ auditKey }: Secrets) => ({ VUKA_AUDIT_KEY: auditKey }),
  },
} as const;

/** Every script of the services that runs here, from the repository's root. */
export const SERVICE_SCRIPTS: string[] = [
  ...DECLARED.map(({ script }) => script),
  WALLET_MIGRATION,
  ...Object.values(SERVICE_COMMANDS).map(({ script }) => script),
];

export type ServiceName = (typeof DECLARED)[number]['name'];

/** The process that executes transfers. */
const executingService = ({ separateWorker }: Settings) => (separateWorker ? 'transfers-worker' : 'transfers');

/** The processes of a run: the simulator only if there is no other provider, the worker only if it is separate. */
export function serviceNames(settings: Settings): ServiceName[] {
  const isLeftOut: Partial<Record<ServiceName, boolean>> = {
    'payout-simulator': settings.providerUrl !== undefined,
    'transfers-worker': executingService(settings) !== 'transfers-worker',
  };
  return DECLARED.map(({ name }) => name).filter((name) => !isLeftOut[name]);
}

/** The environment of each service. */
export function planServices(input: PlanInput): ServicePlan[] {
  const names = new Set<string>(serviceNames(input.settings));
  const shared = sharedSettings(input);
  // All services start together, so they get new keys each time.
  const keys = generateServiceKeys(SERVICES_WITH_KEYS);
  return DECLARED.filter(({ name }) => names.has(name)).map(({ name, database, script, isHot, stopsAt }) => {
    const port = name === 'gateway' ? input.settings.port : portOf(input, name);
    const env = {
      // The simulator stands for an external provider, so it gets no addresses and no service keys.
      ...(name === 'payout-simulator' ? {} : { ...shared, ...keysOf(keys, serviceOf(name)) }),
      DATABASE_URL: databaseUrl(input, database),
      HOST: name === 'gateway' ? input.settings.host : '127.0.0.1',
      PORT: String(port),
      ...(name === 'transfers' ? { VUKA_WITH_WORKER: String(!input.settings.separateWorker) } : {}),
      ...ownSettings(input, name),
    };
    return { name, script: join(ROOT, script), env, isHot, stopsAt, port };
  });
}

/** The process that migrates the ledger before the wallet starts. It alone knows the password of the tables' owner. */
export function planWalletMigration(input: Omit<PlanInput, 'ports' | 'webRoot'>) {
  return {
    script: join(ROOT, WALLET_MIGRATION),
    env: {
      DATABASE_URL: databaseUrl(input, 'wallet'),
      MIGRATION_DATABASE_URL: databaseUrl(input, 'wallet', 'wallet_owner'),
    },
  };
}

/** Two processes may belong to one service. */
const serviceOf = (name: ServiceName) => (name === 'transfers-worker' ? 'transfers' : name);
const SERVICES_WITH_KEYS = [...new Set(DECLARED.map(({ name }) => serviceOf(name)))].filter(
  (name) => name !== 'payout-simulator',
);

function keysOf({ privateKeys, publicKeys }: ServiceKeys, service: string): Record<string, string> {
  return { VUKA_SERVICE_KEY: privateKeys[service] ?? '', VUKA_SERVICE_PUBLIC_KEYS: publicKeys };
}

function sharedSettings({ secrets, settings, server, ports }: PlanInput): Record<string, string> {
  const { databasePrefix: prefix, amqpUrl } = settings;
  const bus = urlOf(server, `${prefix}_bus`, `${prefix}_bus`, secrets.passwords);
  const inner = (name: string) => `http://127.0.0.1:${ports[name]}`;
  return {
    ...(amqpUrl ? { AMQP_URL: amqpUrl } : { BUS_DATABASE_URL: bus }),
    IDENTITY_URL: inner('identity'),
    WALLET_URL: inner('wallet'),
    TRANSFERS_URL: inner('transfers'),
    RATES_URL: inner('rates'),
    ADMIN_URL: inner('admin'),
    INTEGRATION_LOG_URL: inner('integration-log'),
  };
}

const SENDER_SETTINGS = [
  'SMTP_URL',
  'AFRICASTALKING_USERNAME',
  'AFRICASTALKING_API_KEY',
  'AFRICASTALKING_SENDER_ID',
  'AFRICASTALKING_URL',
];

/** Settings that a service gets only from its plan. */
const PLANNED = [
  ...SENDER_SETTINGS,
  'VUKA_SERVICE_KEY',
  'VUKA_SERVICE_PUBLIC_KEYS',
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
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'BUS_DATABASE_URL',
  'AMQP_URL',
  'AMQP_MANAGEMENT_URL',
];

/** The environment that services inherit. Secrets are passed by name to the services that need them. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isInherited = (name: string) => !PLANNED.includes(name) && !name.includes('PASSWORD');
  return Object.fromEntries(Object.entries(env).filter(([name]) => isInherited(name)));
}

/** Secrets are passed only to the services that need them. */
function ownSettings(input: PlanInput, name: ServiceName): Record<string, string> {
  const { secrets, settings, webRoot } = input;
  const publicUrl = `http://${publicHostOf(settings)}`;
  const managementUrl = settings.amqpUrl && settings.env.AMQP_MANAGEMENT_URL;
  switch (name) {
    case 'identity':
      return {
        VUKA_PIN_PEPPER: secrets.pinPepper,
        VUKA_SESSION_SECRET: secrets.sessionSecret,
        VUKA_DATA_KEY: secrets.identityDataKey,
        VUKA_SHOW_CODES: String(!settings.isProduction),
        VUKA_PUBLIC_URL: settings.env.VUKA_PUBLIC_URL || publicUrl,
        // In a demonstration, people sign in to look around.
        VUKA_REQUIRE_SECOND_FACTOR: settings.env.VUKA_REQUIRE_SECOND_FACTOR || String(settings.isProduction),
      };
    case 'admin':
      return {
        ...(managementUrl ? { AMQP_MANAGEMENT_URL: managementUrl } : {}),
        // Empty, so that none is inherited: with a real provider no failures can be switched on.
        PAYOUT_SIMULATOR_URL: settings.providerUrl ? '' : `http://127.0.0.1:${portOf(input, 'payout-simulator')}`,
        VUKA_SHOW_CODES: String(!settings.isProduction),
        VUKA_PUBLIC_URL: settings.env.VUKA_PUBLIC_URL || publicUrl,
        VUKA_AUDIT_KEY: secrets.auditKey,
        VUKA_DATA_KEY: secrets.adminDataKey,
        ...namedIn(settings.env, SENDER_SETTINGS),
      };
    case 'transfers':
    case 'transfers-worker':
      return {
        // The worker signs no receipts.
        ...(name === 'transfers' ? { VUKA_RECEIPT_KEY: secrets.receiptKey } : {}),
        PAWAPAY_URL: settings.providerUrl ?? `http://127.0.0.1:${portOf(input, 'payout-simulator')}`,
        PAWAPAY_TOKEN: secrets.providerToken,
        ...(settings.providerUrl ? {} : simulatorSettings(settings)),
      };
    case 'payout-simulator':
      return { SIMULATOR_CALLBACK_URL: `${publicUrl}/api/callbacks/pawapay`, SIMULATOR_TOKEN: secrets.providerToken };
    case 'gateway':
      return {
        // `HOST` may be open to a network.
        METRICS_HOST: '127.0.0.1',
        METRICS_PORT: String(portOf(input, 'gateway metrics')),
        TRANSFERS_WORKER_URL: `http://127.0.0.1:${portOf(input, executingService(settings))}`,
        VUKA_WEB_ROOT: webRoot,
      };
    case 'integration-log':
      return { VUKA_DATA_KEY: secrets.integrationLogDataKey };
    case 'wallet':
    case 'rates':
      return {};
  }
}

function namedIn(env: NodeJS.ProcessEnv, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/**
 * The simulator is on this machine, so a request reaches it within seconds. After a short grace time a payout that it
 * does not know can be sent again under its id.
 */
function simulatorSettings(settings: Settings): Record<string, string> {
  return {
    PAWAPAY_CALLBACK_AUTHORITY: publicHostOf(settings),
    // The simulator's statement is always current.
    VUKA_STATEMENT_LAG_SECONDS: settings.env.VUKA_STATEMENT_LAG_SECONDS || '0',
    VUKA_PAYOUT_GRACE_SECONDS: settings.env.VUKA_PAYOUT_GRACE_SECONDS || '20',
    VUKA_PAYOUT_CHECK_SECONDS: settings.env.VUKA_PAYOUT_CHECK_SECONDS || '2',
  };
}

function databaseUrl(
  { settings, server, secrets }: Omit<PlanInput, 'ports' | 'webRoot'>,
  database: string,
  role = database,
): string {
  const named = (name: string) => `${settings.databasePrefix}_${name}`;
  return urlOf(server, named(database), named(role), secrets.passwords);
}

function portOf({ ports }: PlanInput, name: string): number {
  const port = ports[name];
  if (port === undefined) throw new Error(`no port for ${name}`);
  return port;
}

/** The host and port at which this machine reaches the gateway. */
export function publicHostOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0' || host === '::') return `127.0.0.1:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
