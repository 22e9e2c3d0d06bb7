import { listeningPart } from '@vuka/service-kit/http-app';
import { createService } from '@vuka/service-kit/service';
import { buildApp } from './app.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';

const settings = config();
const service = createService<Schema>({ name: 'rates', settings, migrations });
const app = buildApp({ ...service, now: () => new Date() });
service.run({ first: [listeningPart(app, { host: settings.HOST, port: settings.PORT })] });
