import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { StartError } from './start-settings.ts';

/** Secrets of one data directory. Each is made once and kept; those from the environment are not stored. */
export interface Secrets {
  pinPepper: string;
  sessionSecret: string;
  receiptKey: string;
  auditKey: string;
  identityDataKey: string;
  adminDataKey: string;
  integrationLogDataKey: string;
  providerToken: string;
  /** The passwords of database roles, by role. */
  passwords: Record<string, string>;
}

const SHORTEST = 32;
export const KEPT = [
  ['pinPepper', 'VUKA_PIN_PEPPER'],
  ['sessionSecret', 'VUKA_SESSION_SECRET'],
  ['receiptKey', 'VUKA_RECEIPT_KEY'],
  ['auditKey', 'VUKA_AUDIT_KEY'],
  ['identityDataKey', 'VUKA_DATA_KEY_IDENTITY'],
  ['adminDataKey', 'VUKA_DATA_KEY_ADMIN'],
  ['integrationLogDataKey', 'VUKA_DATA_KEY_INTEGRATION_LOG'],
] as const;

/** Reads `secrets.json` of the data directory, generates missing values, and overrides them with the environment's. */
export async function loadSecrets(
  dataDir: string,
  roles: readonly string[],
  env: NodeJS.ProcessEnv,
  isProduction = false,
): Promise<Secrets> {
  refuseShort(env);
  const kept = await readKept(dataDir);
  const passwords = { ...kept.passwords };
  for (const role of roles) passwords[role] ??= makeSecret();
  const complete: Partial<Secrets> = { ...kept, passwords };
  if (!isProduction) {
    for (const [name, variable] of KEPT) if (!env[variable]) complete[name] ??= makeSecret();
    complete.providerToken ??= makeSecret();
  }
  if (!isDeepStrictEqual(complete, kept)) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writePrivately(fileIn(dataDir), `${JSON.stringify(complete, null, 2)}\n`);
  }
  return overridden(complete, env);
}

/**
 * For commands: the secrets in `secrets.json`, overridden with the environment's; those in neither are empty. A command
 * generates none, since the running services could not know them.
 */
export async function readSecrets(dataDir: string, env: NodeJS.ProcessEnv): Promise<Secrets> {
  refuseShort(env);
  return overridden(await readKept(dataDir), env);
}

function refuseShort(env: NodeJS.ProcessEnv): void {
  for (const [, variable] of KEPT) {
    const given = env[variable];
    if (given && given.length < SHORTEST) throw new StartError(`${variable} must have ${SHORTEST} characters or more.`);
  }
}

const fileIn = (dataDir: string) => join(dataDir, 'secrets.json');

async function readKept(dataDir: string): Promise<Partial<Secrets>> {
  return JSON.parse(await readFile(fileIn(dataDir), 'utf8').catch(ignoreMissing));
}

function overridden(kept: Partial<Secrets>, env: NodeJS.ProcessEnv): Secrets {
  const used = (name: (typeof KEPT)[number][0], variable: string) => env[variable] || kept[name] || '';
  return {
    pinPepper: used('pinPepper', 'VUKA_PIN_PEPPER'),
    sessionSecret: used('sessionSecret', 'VUKA_SESSION_SECRET'),
    receiptKey: used('receiptKey', 'VUKA_RECEIPT_KEY'),
    auditKey: used('auditKey', 'VUKA_AUDIT_KEY'),
    identityDataKey: used('identityDataKey', 'VUKA_DATA_KEY_IDENTITY'),
    adminDataKey: used('adminDataKey', 'VUKA_DATA_KEY_ADMIN'),
    integrationLogDataKey: used('integrationLogDataKey', 'VUKA_DATA_KEY_INTEGRATION_LOG'),
    providerToken: env.PAWAPAY_TOKEN || kept.providerToken || '',
    passwords: kept.passwords ?? {},
  };
}

/** Writes a file that only its owner can read, atomically, even with concurrent writers. */
export async function writePrivately(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.new`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await chmod(draft, 0o600);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

const makeSecret = () => randomBytes(32).toString('base64url');

function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '{}';
  throw error;
}
