import { createHttpApp, listeningPart } from '@vuka/service-kit/http-app';
import { createService } from '@vuka/service-kit/service';
import { buildDeps } from './build-deps.ts';
import { workerConfig } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { createProvider } from './payouts/create-provider.ts';
import { workerParts } from './worker-parts.ts';

const settings = workerConfig();
const service = createService<Schema>({
  name: 'transfers',
  process: 'transfers-worker',
  settings,
  migrations,
  indexScansOnly: true,
});
const deps = buildDeps(service, settings, createProvider(settings));
const app = createHttpApp({ service: 'transfers-worker', ...service });

service.run({
  first: [deps.clients, deps.providerCalls, listeningPart(app, { host: settings.HOST, port: settings.PORT })],
  whenReady: workerParts(service, deps),
});
