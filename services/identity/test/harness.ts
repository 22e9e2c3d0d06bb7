import type { Caller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { testTokens } from '@vuka/access/testing/test-tokens';
import type { RegisterForm } from '@vuka/contracts/http/users';
import { createDatabase } from '@vuka/service-kit/database';
import { type Keyring, readKeyring } from '@vuka/service-kit/keyring';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createSerial } from '@vuka/service-kit/serial';
import { adminCaller } from '@vuka/test-kit/callers';
import { createTestClock } from '@vuka/test-kit/clock';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { createRepeatableKeys } from '#api-keys/repeatable-keys.ts';
import { buildApp } from '#app.ts';
import { createOneTimeCodes } from '#codes/one-time-codes.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { createPinHasher, type PinHasher } from '#pins/pin-hasher.ts';
import { createPinSealer } from '#pins/pin-seal.ts';
import { createSprayingWatch } from '#pins/pin-spraying.ts';
import { createSealedLabels } from '#recipients/sealed-labels.ts';
import { createTotpSealing } from '#second-factors/renew-secrets.ts';
import { createSealedOrigins } from '#sessions/sealed-origins.ts';

const PUBLIC_URL = 'https://vuka.example.com';
const logger = createLogger({ service: 'identity-test', level: 'silent' });

export const STEP_UP_MS = 300_000;
const DATA_KEYS = readKeyring('data-key-of-at-least-thirty-two-characters');
export const PEPPER = 'pepper-of-at-least-thirty-two-characters';
export const PEPPERS = readKeyring(PEPPER);
export const SESSION_SECRETS = readKeyring('session-secret-of-at-least-32-characters');

/** Calls that another service makes than the gateway. */
const OF_ADMIN = /codes-batch|contacts-batch|account-holders|administrators\/[^/]+\/now$/;

interface Options {
  hasher?: PinHasher;
  requireFactor?: boolean;
  peppers?: Keyring;
  sessionSecrets?: Keyring;
  /** Another process on the same database. */
  beside?: { url: string };
  /** Waits on purpose; by default not at all. */
  pause?: (ms: number) => Promise<void>;
  /** How long a sign-in with a sprayed PIN is delayed; by default not at all. */
  slowDown?: () => Promise<void>;
}

/** The service's app on a real database, with a clock set by the test. */
export async function createIdentity(options: Options = {}) {
  const { requireFactor = false, peppers = PEPPERS, sessionSecrets = SESSION_SECRETS, beside } = options;
  const { slowDown = async () => undefined, pause = async () => undefined } = options;
  const { hasher = createPinHasher(peppers) } = options;
  const server = beside ? { url: beside.url, drop: async () => undefined } : await createTestDatabase('identity');
  const { db, close, pool } = createDatabase<Schema>({
    url: server.url,
    service: 'identity-test',
    logger,
    indexScansOnly: true,
  });
  await migrate(db as never, migrations, logger);
  const tokens = testTokens('identity');
  const clock = createTestClock();
  const alarms: object[] = [];
  const pausesMs: number[] = [];
  const wrongPins: object[] = [];
  const sealedOrigins = createSealedOrigins(DATA_KEYS);
  const sealedLabels = createSealedLabels(DATA_KEYS);
  const app = buildApp({
    db,
    pool,
    logger,
    tokens,
    checks: {},
    hasher,
    sealer: createPinSealer(sessionSecrets),
    sealedOrigins,
    sealedLabels,
    serial: createSerial(),
    spraying: createSprayingWatch({
      nowMs: () => clock.now().getTime(),
      onSpraying: (facts) => alarms.push(facts),
      pause: (ms) => {
        pausesMs.push(ms);
        return slowDown();
      },
    }),
    stepUpMs: STEP_UP_MS,
    pause,
    codes: createOneTimeCodes(peppers),
    repeatableKeys: createRepeatableKeys(peppers),
    totpSealing: createTotpSealing(peppers),
    publicUrl: PUBLIC_URL,
    requireFactor,
    showCodes: true,
    onWrongPin: (facts) => wrongPins.push(facts),
    now: clock.now,
    kickRelay: () => undefined,
  });
  let registered = 0;

  async function ask(question: Parameters<typeof askAs>[2]) {
    const from = OF_ADMIN.test(question.url) ? 'admin' : 'gateway';
    const { status, body, headers } = await askAs(from, { app, service: 'identity' }, question);
    return { status, body, retryAfter: headers['retry-after'] };
  }
  const send = (method: 'GET' | 'POST', url: string, payload?: object, caller?: Caller) =>
    ask({ method, url, payload, caller });

  return {
    url: server.url,
    db,
    pool,
    clock,
    sealedOrigins,
    sealedLabels,
    /** Spraying alarms and the delays that they caused. */
    alarms,
    pausesMs,
    /** What the metrics of wrong PINs count. */
    wrongPins,
    hasher,
    ask,
    send,
    check: async (items: { token: string; pin?: string; keepAlive?: boolean }[]) =>
      (await send('POST', '/internal/sessions/check-batch', { items })).body.results,
    async register(form: Partial<RegisterForm> = {}) {
      registered += 1;
      const { status, body } = await send('POST', '/internal/register', {
        name: 'Amina Otieno',
        email: `merchant${registered}@example.com`,
        phoneNumber: `+254712${String(registered).padStart(6, '0')}`,
        pin: '1357',
        defaultCurrency: 'KES',
        country: 'Kenya',
        ...form,
      });
      return { status, ...body };
    },
    async stop() {
      await close();
      await server.drop();
    },
  };
}

export const admin: Caller = adminCaller;
