import { randomUUID } from 'node:crypto';
import type { CloudEvent } from '@vuka/contracts/cloud-event';
import { DAY_MS } from '@vuka/contracts/http/days';
import { COMMANDS } from '@vuka/contracts/topology';
import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { firstIdAt } from '#ids.ts';
import { claimInbox, type InboxSchema, inboxMigration, pruneInbox } from '#inbox.ts';
import type { MessageBus, OutgoingMessage, PublishOutcome } from '#messaging/message-bus.ts';
import {
  appendToOutbox,
  insertPack,
  listMessages,
  type OutboxMessage,
  type OutboxSchema,
  outboxMigration,
  outboxPacksMigration,
  outboxUnsentMigration,
  readMessages,
  readMessagesTo,
  writeMessages,
} from '#outbox.ts';
import { createOutboxRelay, type OutboxRelay } from '#outbox-relay.ts';

type Schema = OutboxSchema & InboxSchema;
const logger = pino({ level: 'silent' });
let database: TestDatabase;
let db: Kysely<Schema>;
let relays: OutboxRelay[];
let lastNumber = 0;

beforeAll(async () => {
  database = await createTestDatabase('outbox');
  const pool = new pg.Pool({ connectionString: database.url, max: 10 });
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await outboxMigration.up(db);
  await outboxPacksMigration.up(db);
  await outboxUnsentMigration.up(db);
  await inboxMigration.up(db);
});

beforeEach(() => {
  relays = [];
});

afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await sql`truncate outbox, inbox`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** A fake bus: records what arrives, and answers as the test says. */
function createEdge(answer: (message: OutgoingMessage) => PublishOutcome = () => ({ status: 'confirmed' })) {
  const arrived: string[] = [];
  const published: OutgoingMessage[] = [];
  const edge = {
    arrived,
    published,
    answer,
    isConnected: true,
    health: () => ({ connected: edge.isConnected, blocked: false }),
    publish: async (batch: readonly OutgoingMessage[]) => {
      arrived.push(...batch.map(({ envelope }) => envelope.id));
      published.push(...batch);
      return batch.map((message) => edge.answer(message));
    },
  };
  return edge;
}

function startRelay(
  bus: Pick<MessageBus, 'publish' | 'health'>,
  options: { leaseMs?: number; batchSize?: number } = {},
) {
  const relay = createOutboxRelay({ db, bus, logger, pollMs: 20, ...options });
  relays.push(relay);
  return relay;
}

function envelope(type = 'transfer.settled.v1'): CloudEvent {
  lastNumber += 1;
  return {
    specversion: '1.0',
    id: `01900000-0000-7000-8000-${String(lastNumber).padStart(12, '0')}`,
    source: '/test',
    type,
    time: '2026-01-15T09:00:00.000Z',
    datacontenttype: 'application/json',
    data: { amount: '12.50' },
  };
}

const events = (envelopes: CloudEvent[]): OutboxMessage[] =>
  envelopes.map((one) => ({ exchange: 'vuka.events', envelope: one }));

/** As one pack, unless the test needs several. */
async function append(envelopes: CloudEvent[], packs = 1): Promise<string[]> {
  const size = Math.ceil(envelopes.length / packs);
  for (let from = 0; from < envelopes.length; from += size) {
    const messages = events(envelopes.slice(from, from + size));
    await db.transaction().execute((trx) => appendToOutbox(trx, messages));
  }
  return envelopes.map(({ id }) => id);
}

/** As one pack, claimed by its writer. */
async function appendClaimed(envelopes: CloudEvent[]) {
  const pack = { id: randomUUID(), messages: events(envelopes) };
  const messages = pack.messages.map((message) => ({ rowId: null, message }));
  await sql`with written as (select null::uuid as id), sent as (${insertPack(pack.id, messages, 'written')})
    select 1`.execute(db);
  return pack;
}

async function pendingCount(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from outbox where published_at is null`.execute(
    db,
  );
  return rows[0]?.count ?? -1;
}

describe('the outbox', () => {
  test('publishes the messages of a transaction in order, once it is kicked', async () => {
    const edge = createEdge();
    const relay = startRelay(edge);
    const ids = await append(
      Array.from({ length: 1200 }, () => envelope()),
      300,
    );
    expect(await relay.oldestPendingMs()).toBeGreaterThan(0);
    relay.kick();
    await until(async () => (await pendingCount()) === 0);
    expect(edge.arrived).toEqual(ids);
    expect(await relay.oldestPendingMs()).toBe(0);
  });

  test('publishes a pack claimed by its writer from memory: once, and not also by another relay', async () => {
    const edge = createEdge();
    const [writer, other] = [startRelay(edge), startRelay(edge)];
    const envelopes = Array.from({ length: 50 }, () => envelope());
    const pack = await appendClaimed(envelopes);
    other.start();
    expect(await other.drain()).toBe(0);
    writer.publishCommitted(pack);
    await until(async () => (await pendingCount()) === 0);
    expect(edge.arrived).toEqual(envelopes.map(({ id }) => id));
  });

  test('publishes an event at once and first, if a command of the same commit could lead to later events', async () => {
    const edge = createEdge();
    const relay = startRelay(edge);
    const [before, created, execute] = [envelope(), envelope(), envelope()];
    relay.publishCommitted({ id: randomUUID(), messages: events([before]) });
    await until(() => edge.arrived.length === 1);
    relay.publishCommitted({
      id: randomUUID(),
      messages: [...events([created]), { exchange: COMMANDS, envelope: execute }],
    });
    await until(() => edge.arrived.includes(execute.id));
    expect(edge.arrived).toEqual([before.id, created.id, execute.id]);
  });

  test('leaves to the relay the packs that the bus refused from memory, and those of a writer that died', async () => {
    const edge = createEdge(() => ({ status: 'unknown', error: 'unavailable' }));
    const relay = startRelay(edge);
    const [refused, orphaned] = [envelope(), envelope()];
    const pack = await appendClaimed([refused]);
    await appendClaimed([orphaned]);
    relay.publishCommitted(pack);
    await until(() => edge.arrived.length === 1);
    edge.answer = () => ({ status: 'confirmed' });
    await until(async () => (await relay.drain()) === 1);
    expect(edge.arrived).toEqual([refused.id, refused.id]);
    await sql`update outbox set claimed_until = clock_timestamp() - interval '1 second'`.execute(db);
    expect(await relay.drain()).toBe(1);
    expect(edge.arrived.at(-1)).toBe(orphaned.id);
  });

  test('keeps the messages of a statement whose rows were written, and those without a row', async () => {
    const [taken, refused] = [randomUUID(), randomUUID()];
    const [first, second, third] = [envelope(), envelope(), envelope()];
    const [ofTaken, ofRefused, ofNone] = events([first, second, third]) as [
      OutboxMessage,
      OutboxMessage,
      OutboxMessage,
    ];
    const insert = insertPack(
      randomUUID(),
      [
        { rowId: taken, message: ofTaken },
        { rowId: refused, message: ofRefused },
        { rowId: null, message: ofNone },
      ],
      'written',
    );
    const nothing = insertPack(randomUUID(), [{ rowId: refused, message: ofRefused }], 'written');
    await sql`with written as (select ${taken}::uuid as id), sent as (${insert}), more as (${nothing})
      select 1`.execute(db);
    const { rows } = await sql<{ messages: string }>`select messages from outbox`.execute(db);
    expect(rows.map(({ messages }) => readMessages(messages).map((message) => message.envelope.id))).toEqual([
      [first.id, third.id],
    ]);
  });

  test('keeps every character of a message, including those that JSON escapes', async () => {
    const odd = { ...envelope(), data: { text: 'a "quoted" \\ \u001e \u0000 line\nand Habari ya asubuhi ☀ 👋' } };
    await append([odd, envelope()]);
    const { rows } = await sql<{ messages: string }>`select messages from outbox`.execute(db);
    expect(readMessages(rows[0]?.messages ?? '')[0]).toEqual({
      exchange: 'vuka.events',
      routingKey: odd.type,
      envelope: odd,
    });
  });

  test('is read for some routing keys without parsing the other messages', () => {
    const [wanted, other] = [envelope(), { ...envelope(), data: { text: '"wanted.' } }];
    const write = (routingKey: string, sent: ReturnType<typeof envelope>) =>
      writeMessages([{ exchange: 'e', routingKey, envelope: sent }]);
    const unreadable = '{"exchange":"e","routingKey":"other.key","envelope":';
    const pack = [write('other.key', other), unreadable, write('wanted.key', wanted)].join('\u001e');
    expect(readMessagesTo(pack, 'wanted.')).toEqual({
      count: 3,
      messages: [{ exchange: 'e', routingKey: 'wanted.key', envelope: wanted, place: 2 }],
    });
  });

  test('publishes no message of a transaction that rolled back', async () => {
    const edge = createEdge();
    const messages = [{ exchange: 'vuka.events', envelope: envelope() }];
    const transfer = db.transaction().execute(async (trx) => {
      await appendToOutbox(trx, messages);
      throw new Error('no money');
    });
    await expect(transfer).rejects.toThrow('no money');
    await startRelay(edge).drain();
    expect(edge.arrived).toEqual([]);
  });

  test('publishes messages written with plain SQL, without a kick', async () => {
    const edge = createEdge();
    const one = envelope();
    await sql`insert into outbox (pack_id, messages) values (${one.id}, ${writeMessages(events([one]))})`.execute(db);
    startRelay(edge).start();
    await until(async () => (await pendingCount()) === 0);
    expect(edge.arrived).toEqual([one.id]);
  });

  test('publishes again if a relay died between the publish and the mark', async () => {
    const hanging = { health: () => ({ connected: true, blocked: false }), arrived: [] as string[] };
    const dead = createOutboxRelay({
      db,
      logger,
      leaseMs: 300,
      bus: {
        health: hanging.health,
        publish(batch) {
          hanging.arrived.push(...batch.map((message) => message.envelope.id));
          return new Promise(() => undefined);
        },
      },
    });
    const ids = await append([envelope(), envelope()]);
    void dead.drain();
    await until(() => hanging.arrived.length === 2);

    const edge = createEdge();
    const next = startRelay(edge);
    expect(await next.drain()).toBe(0); // the lease is still valid
    next.start();
    await until(async () => (await pendingCount()) === 0);
    expect(edge.arrived).toEqual(ids);
  });

  test('is drained by several relays without publishing a message twice', async () => {
    const edge = createEdge();
    const shared = Array.from({ length: 3 }, () => startRelay(edge, { batchSize: 20 }));
    const ids = await append(
      Array.from({ length: 600 }, () => envelope()),
      150,
    );
    const confirmed = await Promise.all(shared.map((relay) => relay.drain()));
    expect(confirmed.reduce((sum, count) => sum + count)).toBe(600);
    expect(edge.arrived.toSorted()).toEqual(ids);
    expect(await pendingCount()).toBe(0);
  });

  test('waits while the bus is unavailable, and continues when it is back', async () => {
    const edge = createEdge();
    edge.isConnected = false;
    const relay = startRelay(edge);
    const ids = await append([envelope()]);
    expect(await relay.drain()).toBe(0);
    expect(edge.arrived).toEqual([]);
    edge.isConnected = true;
    edge.answer = () => ({ status: 'unknown', error: 'no confirm' });
    await relay.drain();
    edge.answer = () => ({ status: 'confirmed' });
    relay.start();
    await until(async () => (await pendingCount()) === 0);
    expect(edge.arrived).toEqual([...ids, ...ids]);
  });

  test('keeps a message that no queue takes, without delaying the others', async () => {
    const edge = createEdge(({ routingKey }) => ({ status: routingKey === 'lost.v1' ? 'unroutable' : 'confirmed' }));
    const [before, lost, after] = await append([envelope(), envelope('lost.v1'), envelope()]);
    const [sent] = await append([envelope()]);
    const relay = startRelay(edge);
    expect(await relay.drain()).toBe(3);
    const { rows } = await sql`
      select attempts, last_error, next_attempt_at > now() as waits, published_at is null as pending
      from outbox order by id`.execute(db);
    expect(rows).toEqual([
      { attempts: 1, last_error: 'unroutable', waits: true, pending: true },
      { attempts: 1, last_error: null, waits: null, pending: false },
    ]);
    await relay.drain();
    expect(edge.arrived).toEqual([before, lost, after, sent]); // backing off: not tried again at once
  });

  test('resends only the refused messages of a pack until they are taken, and keeps the whole pack', async () => {
    const untaken = new Set(['lost.v1', 'late.v1']);
    const edge = createEdge(({ routingKey }) => ({
      status: untaken.has(routingKey) ? 'unroutable' : 'confirmed',
    }));
    const [taken, lost, late] = await append([envelope(), envelope('lost.v1'), envelope('late.v1')]);
    const relay = startRelay(edge);
    const drainWhenDue = async () => {
      await sql`update outbox set next_attempt_at = null`.execute(db);
      return relay.drain();
    };
    expect(await relay.drain()).toBe(1);
    untaken.delete('late.v1');
    expect(await drainWhenDue()).toBe(1);
    untaken.delete('lost.v1');
    expect(await drainWhenDue()).toBe(1);
    expect(edge.arrived).toEqual([taken, lost, late, lost, late, lost]);
    expect(await pendingCount()).toBe(0);
    expect((await listMessages(db)).map((message) => message.envelope.id)).toEqual([taken, lost, late]);
  });

  test('survives an unavailable database', async () => {
    const edge = createEdge();
    const relay = startRelay(edge);
    relay.start();
    const ids = await append([envelope()]);
    await until(async () => (await pendingCount()) === 0);
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await pool
      .query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      .catch(() => undefined);
    await pool.end();
    const more = await until(() => append([envelope()]));
    await until(async () => (await pendingCount()) === 0);
    expect(edge.arrived).toEqual([...ids, ...more]);
  });

  test('keeps the messages of the schema with a row per message', async () => {
    const before = await createTestDatabase('outbox_before');
    const old = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: before.url, max: 1 }) }),
    });
    await outboxMigration.up(old);
    const one = envelope();
    await sql`insert into outbox (message_id, exchange, routing_key, envelope)
      values (${one.id}, 'vuka.events', ${one.type}, ${JSON.stringify(one)})`.execute(old);
    await outboxPacksMigration.up(old);
    await outboxUnsentMigration.up(old);
    const edge = createEdge();
    const relay = createOutboxRelay({ db: old, bus: edge, logger });
    expect(await relay.drain()).toBe(1);
    expect(edge.published).toEqual([
      { exchange: 'vuka.events', routingKey: one.type, envelope: one, requireRoute: true },
    ]);
    await relay.stop();
    await old.destroy();
    await before.drop();
  });

  test('deletes packs published a week ago, and nothing else', async () => {
    const relay = startRelay(createEdge());
    await append([envelope(), envelope(), envelope()], 3);
    await sql`
      update outbox set created_at = now() - interval '8 days', published_at = now() - interval '8 days'
      where id = (select min(id) from outbox)`.execute(db);
    await sql`update outbox set published_at = now() where id = (select max(id) from outbox)`.execute(db);
    expect(await relay.prune()).toBe(1);
    const { rows } = await sql`select id from outbox`.execute(db);
    expect(rows).toHaveLength(2);
  });

  test('deletes packs published a week ago even behind many that cannot be published', async () => {
    const relay = startRelay(createEdge());
    const kinds = { stuck: null, late: '6 days', done: '8 days', stuckAgain: null, doneAfter: '8 days' };
    for (const ago of Object.values(kinds)) {
      await sql`
        insert into outbox (pack_id, messages, created_at, published_at)
        select gen_random_uuid(), '', now() - interval '9 days', now() - ${ago}::interval
        from generate_series(1, 1500)`.execute(db);
    }
    await append([envelope()]);
    expect(await relay.prune()).toBe(3000);
    const { rows } = await sql`select published_at from outbox where published_at < now() - interval '7 days'`.execute(
      db,
    );
    expect(rows).toEqual([]);
  });
});

describe('the inbox', () => {
  const claim = (consumer: string, ids: string[]) => db.transaction().execute((trx) => claimInbox(trx, consumer, ids));

  test('gives each message to each consumer once, in any batches', async () => {
    expect(await claim('pricing', ['a', 'b', 'b'])).toEqual(new Set(['a', 'b']));
    expect(await claim('pricing', ['b', 'c'])).toEqual(new Set(['c']));
    expect(await claim('execution', ['a'])).toEqual(new Set(['a']));
    expect(await claim('pricing', [])).toEqual(new Set());
  });

  test('releases a message when the transaction of its effects rolls back', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await claimInbox(trx, 'pricing', ['a']);
      throw new Error('the effect failed');
    });
    await expect(failing).rejects.toThrow('the effect failed');
    expect(await claim('pricing', ['a'])).toEqual(new Set(['a']));
  });

  test('lets one of two concurrent consumers win, with overlapping batches in any order', async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `message-${n}`);
    const claims = await Promise.all([
      claim('pricing', ids),
      claim('pricing', ids.toReversed()),
      claim('pricing', ids),
    ]);
    expect(claims.reduce((sum, { size }) => sum + size, 0)).toBe(50);
  });

  test('deletes message ids after a month', async () => {
    const idOf = (days: number) => firstIdAt(new Date(Date.now() - days * DAY_MS));
    const [old, slow, fresh] = [idOf(32), idOf(31), idOf(0)];
    await claim('execution', [old]);
    await claim('pricing', [old, slow, fresh]);
    // Made a month ago, and handled today.
    await sql`update inbox set processed_at = now() - interval '31 days' where message_id = ${old}`.execute(db);
    expect(await pruneInbox(db)).toBe(2);
    expect(await claim('pricing', [old, slow, fresh])).toEqual(new Set([old]));
  });

  test('finds old message ids without reading the others', async () => {
    await sql`
      insert into inbox (consumer, message_id, processed_at)
      select 'pricing', lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000', now() - interval '31 days'
      from generate_series(1, 5000) as n`.execute(db);
    await sql`
      insert into inbox (consumer, message_id)
      select 'pricing', 'f' || lpad(to_hex(n), 7, '0') || '-0000-7000-8000-000000000000'
      from generate_series(1, 100000) as n`.execute(db);
    await sql`analyze inbox`.execute(db);
    await db.transaction().execute(async (trx) => {
      expect(await pruneInbox(trx)).toBe(5_000);
      const { rows } = await sql<{ scanned: string; fetched: string }>`
        select pg_stat_get_xact_tuples_returned('inbox'::regclass) as scanned,
          pg_stat_get_xact_tuples_fetched('inbox'::regclass) as fetched`.execute(trx);
      expect(Number(rows[0]?.scanned)).toBeLessThan(1_000);
      expect(Number(rows[0]?.fetched)).toBeLessThan(10_000);
    });
  });
});
