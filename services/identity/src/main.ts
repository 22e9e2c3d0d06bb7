import { setTimeout as delay } from 'node:timers/promises';
import { firstAnswersPruning } from '@vuka/service-kit/first-answers';
import { listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { sealingPart } from '@vuka/service-kit/sealed-rows';
import { createSerial } from '@vuka/service-kit/serial';
import { consumerPart, createService } from '@vuka/service-kit/service';
import { pruneDevices } from './accounts/device.store.ts';
import { createRepeatableKeys } from './api-keys/repeatable-keys.ts';
import { buildApp } from './app.ts';
import { correctTimesAhead } from './clock/times-ahead.ts';
import { pruneCodes } from './codes/code.store.ts';
import { createOneTimeCodes } from './codes/one-time-codes.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { createPinCount } from './pins/count-wrong-pins.ts';
import { createPinHasher } from './pins/pin-hasher.ts';
import { createPinSealer } from './pins/pin-seal.ts';
import { createSprayingWatch } from './pins/pin-spraying.ts';
import { renewVerifiers } from './pins/renew-verifiers.ts';
import { pruneStrangerSignIns } from './pins/stranger-attempts.store.ts';
import { createSealedLabels } from './recipients/sealed-labels.ts';
import { createTotpSealing, renewSecrets } from './second-factors/renew-secrets.ts';
import { createSealedOrigins } from './sessions/sealed-origins.ts';
import { pruneSessions } from './sessions/session.store.ts';
import { applySettings, SETTINGS_QUEUE } from './settings/apply-settings.ts';

const PRUNE_EVERY_MS = 600_000;
const RENEW_EVERY_MS = 3_600_000;

const settings = config();
const service = createService<Schema>({ name: 'identity', settings, migrations, indexScansOnly: true });
const { db, logger, metrics } = service;
const now = () => new Date();

const sprayings = metrics.counter('vuka_identity_pin_spraying_total', 'Times that one PIN was tried on many accounts');
const countWrongPin = createPinCount(metrics);
const spraying = createSprayingWatch({
  onSpraying(facts) {
    sprayings.inc();
    logger.error(facts, 'one PIN is being tried on many accounts; sign-ins with it are slowed down');
  },
});
const hasher = createPinHasher(settings.VUKA_PIN_PEPPER);
const totpSealing = createTotpSealing(settings.VUKA_PIN_PEPPER);
const sealedOrigins = createSealedOrigins(settings.VUKA_DATA_KEY);
const sealedLabels = createSealedLabels(settings.VUKA_DATA_KEY);
const app = buildApp({
  ...service,
  pool: service.database.pool,
  hasher,
  sealer: createPinSealer(settings.VUKA_SESSION_SECRET),
  sealedOrigins,
  sealedLabels,
  serial: createSerial(),
  spraying,
  codes: createOneTimeCodes(settings.VUKA_PIN_PEPPER),
  repeatableKeys: createRepeatableKeys(settings.VUKA_PIN_PEPPER),
  totpSealing,
  publicUrl: settings.VUKA_PUBLIC_URL,
  requireFactor: settings.VUKA_REQUIRE_SECOND_FACTOR,
  showCodes: settings.VUKA_SHOW_CODES,
  onWrongPin(facts) {
    countWrongPin(facts);
    logger.info(facts, 'a wrong PIN');
  },
  pause: (ms) => delay(ms),
  stepUpMs: settings.VUKA_STEP_UP_SECONDS * 1_000,
  now,
});

service.run({
  first: [listeningPart(app, { host: settings.HOST, port: settings.PORT })],
  whenReady: [
    pollingPart({
      name: 'renewal under the current pepper',
      everyMs: RENEW_EVERY_MS,
      logger,
      async run() {
        await renewVerifiers({ db, hasher, logger });
        await renewSecrets({ db, peppers: settings.VUKA_PIN_PEPPER, logger });
      },
    }),
    consumerPart(service, SETTINGS_QUEUE, 10, (delivery) => applySettings(db, delivery)),
    sealingPart(service, [sealedOrigins, sealedLabels]),
    pollingPart({
      name: 'session pruning',
      everyMs: PRUNE_EVERY_MS,
      logger,
      async run() {
        await correctTimesAhead(db, new Date());
        await pruneSessions(db, new Date());
        await pruneDevices(db, new Date());
        await pruneCodes(db, new Date());
      },
    }),
    firstAnswersPruning(service),
    pollingPart({
      name: 'sign-in pruning',
      everyMs: PRUNE_EVERY_MS,
      logger,
      run: () => pruneStrangerSignIns(db, new Date()),
    }),
  ],
});
