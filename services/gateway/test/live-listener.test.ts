import { randomUUID } from 'node:crypto';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { storeLiveEvents } from '#live/live-event.store.ts';
import { createLiveHub, type LiveEvent } from '#live/live-hub.ts';
import { liveListenerPart } from '#live/live-listener.ts';

const logger = createLogger({ service: 'gateway-test', level: 'silent' });

/** A listener whose connection can be cut, and an open stream of one user. Its reads can be slowed. */
async function createListening({ readsTakeMs = 0 } = {}) {
  const server = await createTestDatabase('live');
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'gateway-test', logger });
  await migrate(db as never, migrations, logger);
  const { hostname, port } = new URL(server.url);
  const [proxy, ofReads] = await Promise.all(
    Array.from({ length: 2 }, () => createTcpProxy({ host: hostname, port: Number(port) || 5432 })),
  );
  if (!proxy || !ofReads) throw new Error('no proxies');
  if (readsTakeMs > 0) ofReads.slow(readsTakeMs / 2);
  const through = (way: TcpProxy) => {
    const url = new URL(server.url);
    [url.hostname, url.port] = ['127.0.0.1', String(way.port)];
    return url.toString();
  };
  const slow = createDatabase<Schema>({ url: through(ofReads), service: 'gateway-test', logger });
  const [hub, userId] = [createLiveHub(), randomUUID()];
  const read: LiveEvent[] = [];
  hub.reserve(userId).open({ send: (event) => void read.push(event), end: () => undefined }, []);
  const listener = liveListenerPart({
    url: through(proxy),
    db: slow.db,
    hub,
    logger,
    onTransferEvents: () => undefined,
  });
  await listener.start();
  onTestFinished(async () => {
    await listener.stop();
    await Promise.all([proxy.close(), ofReads.close()]);
    await Promise.all([slow.close(), close()]);
    await server.drop();
  });
  const store = (data: string) => storeLiveEvents(db, [{ messageId: randomUUID(), userId, name: 'transaction', data }]);
  const isListening = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'gateway-live' and query like 'listen%' and state = 'idle'
      `.execute(db);
    return rows.length > 0;
  };
  return { proxy, store, isListening, hasRead: (data: string) => read.some((event) => event.data === data) };
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

test('what is announced after the first connection was lost, and before it has caught up, reaches the streams', async () => {
  const { proxy, store, isListening, hasRead } = await createListening({ readsTakeMs: 400 });
  await until(isListening, { timeoutMs: 20_000 });
  proxy.cut();
  await store('missed');
  proxy.restore();
  await until(() => hasRead('missed'), { timeoutMs: 20_000, what: 'the missed event' });
});

test('a connection that is lost without a sign is noticed, and what was announced meanwhile reaches the streams', async () => {
  const { proxy, store, hasRead } = await createListening();
  await until(async () => {
    await store('first');
    return hasRead('first');
  });
  proxy.forget();
  await store('missed');
  await until(() => hasRead('missed'), { timeoutMs: 30_000, what: 'the missed event' });
}, 40_000);
