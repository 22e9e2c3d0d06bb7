import { createDatabase } from '@vuka/service-kit/database';
import { listeningPart } from '@vuka/service-kit/http-app';
import { runService } from '@vuka/service-kit/lifecycle';
import { createLogger } from '@vuka/service-kit/logger';
import { config } from './config.ts';
import type { Schema } from './db/schema.ts';
import { createSimulator } from './simulator.ts';

const settings = config();
const logger = createLogger({ service: 'payout-simulator', level: settings.LOG_LEVEL });
const database = createDatabase<Schema>({
  url: settings.DATABASE_URL,
  service: 'payout-simulator',
  logger,
  poolSize: 6,
  indexScansOnly: true,
});
const { app, part } = createSimulator({
  database,
  logger,
  token: settings.SIMULATOR_TOKEN,
  delayMs: settings.SIMULATOR_DELAY_MS,
  callbackUrl: settings.SIMULATOR_CALLBACK_URL,
  paymentsUrl: settings.SIMULATOR_PAYMENTS_URL,
});

runService({
  logger,
  parts: [
    listeningPart(app, { host: settings.HOST, port: settings.PORT }),
    { name: 'database', start: () => undefined, stop: () => database.close() },
    part,
  ],
});
