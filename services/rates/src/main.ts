import { createRoleLookup } from '@vuka/access/requesters';
import { firstAnswersPruning } from '@vuka/service-kit/first-answers';
import { listeningPart } from '@vuka/service-kit/http-app';
import { createService } from '@vuka/service-kit/service';
import { createServiceClient } from '@vuka/service-kit/service-client';
import { buildApp } from './app.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';

const settings = config();
const service = createService<Schema>({ name: 'rates', settings, migrations });
const identity = createServiceClient({ baseUrl: settings.IDENTITY_URL, to: 'identity', tokens: service.tokens });
const app = buildApp({ ...service, roleNow: createRoleLookup(identity), now: () => new Date() });
service.run({
  first: [
    { name: 'clients', start: () => undefined, stop: () => identity.close() },
    listeningPart(app, { host: settings.HOST, port: settings.PORT }),
  ],
  whenReady: [firstAnswersPruning(service)],
});
