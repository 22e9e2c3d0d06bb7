import { listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { sealingPart } from '@vuka/service-kit/sealed-rows';
import { consumerPart, createService } from '@vuka/service-kit/service';
import { buildApp } from './app.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import { dropOldPartitions } from './db/partitions.ts';
import type { Schema } from './db/schema.ts';
import { createLogWriter } from './logs/log.store.ts';
import { CALLS_QUEUE, createCallRecorder } from './logs/record-calls.ts';
import { createSealedBodies } from './logs/sealed-bodies.ts';

const PREFETCH = 200;
const PRUNE_EVERY_MS = 3_600_000;

const settings = config();
const service = createService<Schema>({
  name: 'integration-log',
  settings,
  migrations,
  indexScansOnly: true,
  hasInbox: true,
});
const sealed = createSealedBodies(settings.VUKA_DATA_KEY);
const writer = createLogWriter(service.db, sealed);
const app = buildApp({ ...service, sealed, writer, now: () => new Date() });

service.run({
  first: [listeningPart(app, { host: settings.HOST, port: settings.PORT })],
  whenReady: [
    consumerPart(service, CALLS_QUEUE, PREFETCH, createCallRecorder(writer, service.logger)),
    sealingPart(service, [sealed]),
    pollingPart({
      name: 'pruning',
      everyMs: PRUNE_EVERY_MS,
      logger: service.logger,
      async run() {
        const dropped = await dropOldPartitions(service.db, new Date(), settings.VUKA_LOG_RETENTION_MONTHS);
        if (dropped.length > 0) service.logger.info({ dropped }, 'old logs were dropped');
      },
    }),
  ],
});
