import type { ServerResponse } from 'node:http';
import { createDatabase } from '@vuka/service-kit/database';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { onTestFinished, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import type { Sessions } from '#guards/sessions.ts';
import { liveRoutes } from '#live/live.routes.ts';
import { createLiveHub } from '#live/live-hub.ts';

const SIGNED = { user: { id: '0190a000-0000-7000-8000-0000000000a1' }, sessionToken: 'a-session' };
const logger = createLogger({ service: 'gateway-test', level: 'silent' });

test('a reader that leaves while its missed events are read leaves no stream behind', async () => {
  const server = await createTestDatabase('live');
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'gateway-test', logger });
  await migrate(db as never, migrations, logger);
  const hub = createLiveHub();
  const app = createHttpApp({ service: 'gateway-test', logger, checks: {} });
  const answers: ServerResponse[] = [];
  app.addHook('onRequest', async (_request, reply) => void answers.push(reply.raw));
  liveRoutes(app, { db, hub, sessions: { requireInBackground: async () => SIGNED } as unknown as Sessions });
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/events`;
  onTestFinished(async () => {
    await app.close();
    await close();
    await server.drop();
  });

  const left = new AbortController();
  await db.transaction().execute(async (trx) => {
    await sql`lock table live_events in access exclusive mode`.execute(trx);
    const asked = fetch(url, { headers: { 'last-event-id': '1' }, signal: left.signal }).catch(() => undefined);
    await until(() => hub.size === 1);
    left.abort();
    await asked;
    await until(() => answers[0]?.destroyed);
  });
  await until(() => hub.size === 0, { what: 'the end of its stream' });
});
