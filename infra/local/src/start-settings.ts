import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A mistake of the person who starts Vuka, reported without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}

export interface Settings {
  isProduction: boolean;
  host: string;
  port: number;
  dataDir: string;
  /** A Postgres to use instead of the embedded one, as a role that may create databases and roles. */
  databaseUrl: string | undefined;
  /** The prefix of our databases' and roles' names. */
  databasePrefix: string;
  amqpUrl: string | undefined;
  /** The address of the payout provider; without it the simulator is started. */
  providerUrl: string | undefined;
  /** Transfers are executed by a process of its own, as on larger machines. */
  separateWorker: boolean;
  /** Where the embedded Postgres archives its write-ahead log; undefined without an archive. */
  walArchive: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Reads the environment of `npm start`; throws a StartError for an invalid setting. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const isProduction = env.NODE_ENV === 'production';
  const databasePrefix = env.VUKA_DATABASE_PREFIX || 'vuka';
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(databasePrefix)) {
    throw new StartError('VUKA_DATABASE_PREFIX must be lower-case letters, digits and underscores, 31 at most.');
  }
  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl && !/^postgres(ql)?:$/.test(URL.canParse(databaseUrl) ? new URL(databaseUrl).protocol : '')) {
    throw new StartError('DATABASE_URL must look like postgresql://user:password@host:5432/postgres.');
  }
  const settings: Settings = {
    isProduction,
    host: env.HOST || '127.0.0.1',
    port: readPort(env.PORT),
    dataDir: resolveDir(env.VUKA_DATA_DIR || '.vuka'),
    databaseUrl,
    databasePrefix,
    amqpUrl: env.AMQP_URL || undefined,
    providerUrl: env.PAWAPAY_URL || undefined,
    separateWorker: ON.test(env.VUKA_SEPARATE_WORKER ?? ''),
    walArchive: env.VUKA_WAL_ARCHIVE ? resolveDir(env.VUKA_WAL_ARCHIVE) : undefined,
    env,
  };
  if (settings.walArchive && process.platform === 'win32') {
    throw new StartError('VUKA_WAL_ARCHIVE is not supported on Windows.');
  }
  refuseMissing(settings);
  return settings;
}

/** A directory in a setting: relative to the repository's root unless it is absolute. */
export function resolveDir(text: string): string {
  return resolve(ROOT, text.replace(/^~(?=\/|$)/, homedir()));
}

function readPort(text: string | undefined): number {
  const port = Number(text || 3000);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`PORT must be a port number, not "${text}".`);
}

const NEEDED_IN_PRODUCTION = [
  'VUKA_PIN_PEPPER',
  'VUKA_SESSION_SECRET',
  'VUKA_RECEIPT_KEY',
  'VUKA_DATA_KEY_IDENTITY',
  'VUKA_DATA_KEY_ADMIN',
  'VUKA_DATA_KEY_INTEGRATION_LOG',
  'PAWAPAY_URL',
  'PAWAPAY_TOKEN',
];
const ON = /^(true|1|yes|on|y|enabled)$/i;
const OFF = /^(false|0|no|off|n|disabled)$/i;

/** In production no secret has a default. A real provider signs the host that it calls, so that must be set. */
function refuseMissing({ env, isProduction, providerUrl }: Settings): void {
  const isSigned = !OFF.test(env.PAWAPAY_SIGNED_CALLBACKS ?? '');
  const needed = [
    ...(isProduction ? NEEDED_IN_PRODUCTION : []),
    ...(isSigned && (isProduction || providerUrl) ? ['PAWAPAY_CALLBACK_AUTHORITY'] : []),
  ];
  const missing = needed.filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw new StartError(
    `${isProduction ? 'In production' : 'With PAWAPAY_URL'} these must be set: ${missing.join(', ')}.`,
  );
}

/**
 * Outside production a start adds accounts whose PINs are public, which could send a real provider's money. Throws a
 * StartError then. Other commands, which add none, read these settings as outside production.
 */
export function refuseLiveDemo({ isProduction, providerUrl }: Settings): void {
  if (isProduction || !providerUrl || !URL.canParse(providerUrl)) return;
  const { protocol, hostname } = new URL(providerUrl);
  // A provider's sandbox, or a server of one's own.
  if (protocol !== 'https:' || hostname.split('.').includes('sandbox')) return;
  throw new StartError(
    `${hostname} pays real money, and without NODE_ENV=production Vuka has demo accounts with public PINs. ` +
      'Set NODE_ENV=production, or the address of a sandbox.',
  );
}

/** For data that depends only on this installation; safe to delete. */
export const CACHE_DIR = join(ROOT, 'node_modules/.cache/vuka');
