import { createHttpApp, listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { consumerPart, createService } from '@vuka/service-kit/service';
import { buildDeps } from './build-deps.ts';
import { workerConfig } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { countStuck } from './history/summarise-transfers.ts';
import { createProvider } from './payouts/create-provider.ts';
import { EXECUTION_QUEUE, handleCommand } from './saga/handle-command.ts';
import { sweepPayouts, sweepSteps } from './saga/sweep.ts';

/** Commands in progress at once: batching needs many, and a slow provider must not delay the others. */
const PREFETCH = 500;
const SWEEP_EVERY_MS = 1_000;

const settings = workerConfig();
const service = createService<Schema>({
  name: 'transfers',
  process: 'transfers-worker',
  settings,
  migrations,
  indexScansOnly: true,
});
const deps = buildDeps(service, settings, createProvider(settings));
service.metrics.gauge('vuka_transfers_stuck', 'Transfers in the stuck list', () =>
  countStuck(deps, Date.now()).then(
    ({ count }) => count,
    () => Number.NaN,
  ),
);
const app = createHttpApp({ service: 'transfers-worker', ...service });

service.run({
  first: [deps.clients, deps.providerCalls, listeningPart(app, { host: settings.HOST, port: settings.PORT })],
  whenReady: [
    consumerPart(service, EXECUTION_QUEUE, PREFETCH, (delivery) => handleCommand(deps, delivery)),
    pollingPart({ name: 'sweep', everyMs: SWEEP_EVERY_MS, logger: service.logger, run: () => sweepSteps(deps) }),
    pollingPart({
      name: 'sweep of payouts',
      everyMs: SWEEP_EVERY_MS,
      logger: service.logger,
      run: () => sweepPayouts(deps),
    }),
  ],
});
