import { listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { consumerPart, createService } from '@vuka/service-kit/service';
import { createServiceClient } from '@vuka/service-kit/service-client';
import { buildApp } from './app.ts';
import { AUDIT_QUEUE, recordActions } from './audit-trail/record-actions.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { finishOpenDeposits } from './deposits/register-deposit.ts';

const FINISH_EVERY_MS = 15_000;
/** Longer than the ledger's own deadline, so that its answer is heard. */
const DEPOSIT_TIMEOUT_MS = 6_000;

const settings = config();
const service = createService<Schema>({ name: 'admin', settings, migrations, poolSize: 4, hasInbox: true });
const client = (baseUrl: string) =>
  createServiceClient({ baseUrl, from: 'admin', tokens: service.tokens, timeoutMs: DEPOSIT_TIMEOUT_MS });
const clients = { identity: client(settings.IDENTITY_URL), transfers: client(settings.TRANSFERS_URL) };
const deps = { ...service, ...clients, now: () => new Date() };
const app = buildApp(deps);

service.run({
  first: [
    {
      name: 'clients',
      start: () => undefined,
      stop: async () => {
        await Promise.all(Object.values(clients).map((http) => http.close()));
      },
    },
    listeningPart(app, { host: settings.HOST, port: settings.PORT }),
  ],
  whenReady: [
    consumerPart(service.bus, AUDIT_QUEUE, 20, (delivery) => recordActions(service.db, delivery)),
    pollingPart({
      name: 'open deposits',
      everyMs: FINISH_EVERY_MS,
      logger: service.logger,
      run: () => finishOpenDeposits(deps),
    }),
  ],
});
