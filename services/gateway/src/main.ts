import { createHttpApp, listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { consumerPart, createService } from '@vuka/service-kit/service';
import { createServiceClient } from '@vuka/service-kit/service-client';
import { buildApp } from './app.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { createFeedReader } from './feed/feed-reader.ts';
import { createFeedStreams } from './feed/feed-streams.ts';
import { createApiKeys } from './guards/api-keys.ts';
import { checkProxy } from './guards/proxy-check.ts';
import { createSessions } from './guards/sessions.ts';
import { createLiveConsumer } from './live/consume-live-events.ts';
import { LIVE_QUEUE, pruneLiveEvents } from './live/live-event.store.ts';
import { createLiveHub } from './live/live-hub.ts';
import { liveListenerPart } from './live/live-listener.ts';

const PREFETCH = 500;
const PRUNE_EVERY_MS = 60_000;

const settings = config();
const service = createService<Schema>({ name: 'gateway', settings, migrations, indexScansOnly: true, hasInbox: true });
const { db, logger, metrics, tokens } = service;
checkProxy(settings, logger);
const CALL_TIMEOUT_MS = 4_000;
/** A container is replaced within this time, and clients give up after ten seconds. */
const PATIENCE_MS = 8_000;
/** Admin's own timeout for transfers and three seconds for the PIN, so that a deposit is answered with its outcome. */
const ADMIN_TIMEOUT_MS = 9_000;
/** More than the number of sign-ins that identity delays at once, so that others still find a connection. */
const SIGN_IN_CONNECTIONS = 64;
const client = (to: string, baseUrl: string, options: { connections?: number; timeoutMs?: number } = {}) =>
  createServiceClient({ baseUrl, to, tokens, timeoutMs: CALL_TIMEOUT_MS, patienceMs: PATIENCE_MS, ...options });
const services = {
  identity: client('identity', settings.IDENTITY_URL),
  wallet: client('wallet', settings.WALLET_URL),
  transfers: client('transfers', settings.TRANSFERS_URL),
  transfersWorker: client('transfers', settings.TRANSFERS_WORKER_URL),
  rates: client('rates', settings.RATES_URL),
  admin: client('admin', settings.ADMIN_URL, { timeoutMs: ADMIN_TIMEOUT_MS }),
  integrationLog: client('integration-log', settings.INTEGRATION_LOG_URL),
};
const signIns = client('identity', settings.IDENTITY_URL, { connections: SIGN_IN_CONNECTIONS });
/** A search may take seconds. It must not affect the circuit breaker and the connections of session checks. */
const merchantLists = client('identity', settings.IDENTITY_URL, { connections: 2 });
/** Programs that read a week of events must not slow down current orders. */
const transferEvents = client('transfers', settings.TRANSFERS_URL, { connections: 2 });
const feedReader = createFeedReader({ transfers: transferEvents, logger });
const feedStreams = createFeedStreams();
const hub = createLiveHub();
const app = await buildApp({
  ...service,
  hub,
  feedReader,
  feedStreams,
  apiKeys: createApiKeys({ identity: services.identity }),
  services,
  signIns,
  merchantLists,
  sessions: createSessions({ identity: services.identity }),
  rateLimitFactor: settings.VUKA_RATE_LIMIT_FACTOR,
  trustProxy: settings.VUKA_TRUST_PROXY,
  webRoot: settings.VUKA_WEB_ROOT,
});
const metricsApp = createHttpApp({ service: 'gateway', logger, metrics, checks: service.checks });
metrics.gauge('vuka_live_streams', 'Open event streams', () => hub.size);
metrics.gauge('vuka_feed_streams', 'Open streams of other programs', () => feedStreams.size);
const onTransferEvents = () => {
  feedReader.forget();
  feedStreams.wake();
};

service.run({
  first: [
    {
      name: 'clients',
      start: () => undefined,
      stop: async () => {
        await Promise.all(
          [...Object.values(services), signIns, merchantLists, transferEvents].map((http) => http.close()),
        );
      },
    },
    listeningPart(app, { host: settings.HOST, port: settings.PORT }),
    listeningPart(metricsApp, { host: settings.METRICS_HOST ?? settings.HOST, port: settings.METRICS_PORT }),
  ],
  whenReady: [
    liveListenerPart({ url: settings.DATABASE_URL, db, hub, logger, onTransferEvents }),
    consumerPart(service, LIVE_QUEUE, PREFETCH, createLiveConsumer(db)),
    pollingPart({ name: 'live event pruning', everyMs: PRUNE_EVERY_MS, logger, run: () => pruneLiveEvents(db) }),
  ],
});
