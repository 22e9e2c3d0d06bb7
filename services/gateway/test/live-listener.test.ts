import { randomUUID } from 'node:crypto';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { storeLiveEvents } from '#live/live-event.store.ts';
import { createLiveHub, type LiveEvent } from '#live/live-hub.ts';
import { liveListenerPart } from '#live/live-listener.ts';

const logger = createLogger({ service: 'gateway-test', level: 'silent' });

/** A listener whose connection can be cut, and an open stream of one user. */
async function createListening() {
  const server = await createTestDatabase('live');
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'gateway-test', logger });
  await migrate(db as never, migrations, logger);
  const { hostname, port } = new URL(server.url);
  const proxy = await createTcpProxy({ host: hostname, port: Number(port) || 5432 });
  const url = new URL(server.url);
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  const [hub, userId] = [createLiveHub(), randomUUID()];
  const read: LiveEvent[] = [];
  hub.reserve(userId).open({ send: (event) => void read.push(event), end: () => undefined }, []);
  const listener = liveListenerPart({ url: url.toString(), db, hub, logger, onTransferEvents: () => undefined });
  await listener.start();
  onTestFinished(async () => {
    await listener.stop();
    await proxy.close();
    await close();
    await server.drop();
  });
  const store = (data: string) => storeLiveEvents(db, [{ messageId: randomUUID(), userId, name: 'transaction', data }]);
  return { proxy, store, hasRead: (data: string) => read.some((event) => event.data === data) };
}

test('what was announced while the listener had no connection reaches the streams that stayed open', async () => {
  const { proxy, store, hasRead } = await createListening();
  // The listener may still be connecting.
  await until(async () => {
    await store('first');
    return hasRead('first');
  });
  proxy.cut();
  await store('missed');
  expect(hasRead('missed')).toBe(false);
  proxy.restore();
  await until(() => hasRead('missed'), { timeoutMs: 10_000, what: 'the missed event' });
  await store('next');
  await until(() => hasRead('next'));
});
