import { randomUUID } from 'node:crypto';
import { CloudEvent } from '@vuka/contracts/cloud-event';
import type { TransferEvents } from '@vuka/contracts/internal/transfer-events';
import { EXECUTE_TRANSFER } from '@vuka/contracts/messages/transfers';
import { COMMANDS, EVENTS } from '@vuka/contracts/topology';
import { createLogger } from '@vuka/service-kit/logger';
import { appendToOutbox, type OutboxMessage, writeMessages } from '@vuka/service-kit/outbox';
import { createOutboxRelay } from '@vuka/service-kit/outbox-relay';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

const logger = createLogger({ service: 'event-log-test', level: 'silent' });
const NO_BUS = { health: () => ({ connected: false, blocked: false }), publish: async () => [] };
const FOREIGN = {
  status: 400,
  body: { code: 'validation_failed', error: 'Last-Event-ID is not of this feed: leave it out, and read from=oldest' },
};

let transfers: Transfers;
beforeEach(async () => {
  transfers = await createTransfers();
});
afterEach(() => transfers.stop());

const ask = (query: string) => transfers.send('GET', `/internal/transfer-events?${query}`);
const read = async (query: string): Promise<TransferEvents> => {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  return body;
};
const idsOf = (page: TransferEvents) => page.events.map(({ event }) => event.id);

/** Reads events until there are `count` of them. Other databases of the server may delay the end for a while. */
async function follow(count: number, query = 'from=oldest') {
  const events: TransferEvents['events'] = [];
  let next = query;
  await until(
    async () => {
      const page = await read(next);
      events.push(...page.events);
      next = `after=${page.next}`;
      return events.length >= count;
    },
    { timeoutMs: 20_000 },
  );
  return { events, ids: events.map(({ event }) => event.id), next };
}

function message(type = 'transfer.settled.v1', exchange: string = EVENTS): OutboxMessage {
  return {
    exchange,
    envelope: {
      specversion: '1.0',
      id: randomUUID(),
      source: '/test',
      type,
      time: '2026-01-15T09:00:00.000Z',
      datacontenttype: 'application/json',
      data: {},
    },
  };
}

async function write(...messages: OutboxMessage[]): Promise<string[]> {
  await transfers.db.transaction().execute((trx) => appendToOutbox(trx, messages));
  return messages.map(({ envelope }) => envelope.id);
}

/** A transaction with one event on its own connection, ended by the test. */
async function begin() {
  const client = await transfers.pool.connect();
  const one = message();
  await client.query('begin');
  await client.query({
    text: 'insert into outbox (pack_id, messages) values ($1, $2)',
    values: [randomUUID(), writeMessages([one])],
  });
  return {
    id: one.envelope.id,
    async end(how: 'commit' | 'rollback') {
      await client.query(how);
      client.release();
    },
  };
}

describe('the event log', () => {
  test('returns a transfer’s events in order, as published, without commands or provider calls', async () => {
    const { transaction } = await transfers.order(transfers.merchant());
    await transfers.execute(transaction.id);
    const payout = await transfers.payoutOf(transaction.id);
    await transfers.callback({
      clientPayoutId: payout.id,
      state: 'completed',
      amount: '23030',
      currency: 'TZS',
      msisdn: '255763456700',
    });
    await transfers.ended(transaction.id);
    const written = await transfers.messagesInOutbox();
    expect(written.map(({ exchange }) => exchange)).toContain(COMMANDS);
    expect(written.map(({ routingKey }) => routingKey)).toContain('integration.calls-recorded.v1');
    const { events } = await follow(3);
    expect(events.map(({ event }) => event.type)).toEqual([
      'transfer.created.v1',
      'transfer.processing.v1',
      'transfer.settled.v1',
    ]);
    const published = written.filter(
      ({ routingKey }) => routingKey.startsWith('transfer.') && routingKey !== EXECUTE_TRANSFER,
    );
    expect(events.map(({ event }) => event)).toEqual(published.map(({ envelope }) => envelope));
    for (const { event } of events) expect(CloudEvent.safeParse(event).success).toBe(true);
  });

  test('loses nothing when an earlier transaction commits after a later one', async () => {
    const [early, late] = [await begin(), await begin()];
    await late.end('commit');
    const before = await read('from=oldest');
    await early.end('commit');
    const { ids } = await follow(2 - before.events.length, `after=${before.next}`);
    expect([...idsOf(before), ...ids]).toEqual([early.id, late.id]);
  });

  test('returns each event once while many transactions write', async () => {
    const written: string[] = [];
    const writeSlowly = (messages: OutboxMessage[]) =>
      transfers.db.transaction().execute(async (trx) => {
        await appendToOutbox(trx, messages);
        await sql`select pg_sleep(random() / 50)`.execute(trx); // so that they end in another order
        written.push(...messages.map(({ envelope }) => envelope.id));
      });
    const writer = async () => {
      for (let pack = 0; pack < 40; pack += 1) await writeSlowly([message(), message()]);
    };
    const [{ ids }] = await Promise.all([follow(480), ...Array.from({ length: 6 }, writer)]);
    expect(ids.toSorted()).toEqual(written.toSorted());
  });

  test('passes a transaction that rolled back', async () => {
    const early = await begin();
    const [late] = await write(message());
    await early.end('rollback');
    expect((await follow(1)).ids).toEqual([late]);
  });

  test('resumes after every place, within a pack and across pages', async () => {
    const ids: string[] = [];
    for (let pack = 0; pack < 120; pack += 1) ids.push(...(await write(message(), message())));
    const { events } = await follow(240);
    expect(events.map(({ event }) => event.id)).toEqual(ids);
    const first = await read('from=oldest');
    expect([first.events.length, first.hasMore]).toEqual([200, true]);
    for (const index of [0, 1, 2, 198, 199, 200, 237, 238, 239]) {
      const rest = await follow(239 - index, `after=${events[index]?.place}`);
      expect(rest.ids).toEqual(ids.slice(index + 1));
    }
  });

  test('continues past a page without transfer events', async () => {
    for (let pack = 0; pack < 100; pack += 1) await write(message('integration.calls-recorded.v1'));
    const [id] = await write(message());
    await until(async () => (await read('from=oldest')).hasMore);
    const first = await read('from=oldest');
    expect(first.events).toEqual([]);
    expect((await follow(1, `after=${first.next}`)).ids).toEqual([id]);
  });

  test('reading from now returns only later events', async () => {
    const [old] = await write(message());
    await follow(1);
    const open = await begin();
    const now = await read('from=now');
    expect(now.events).toEqual([]);
    await open.end('commit');
    const [later] = await write(message());
    const { ids } = await follow(2, `after=${now.next}`);
    expect(ids).toEqual([open.id, later]);
    expect(ids).not.toContain(old);
  });

  test('keeps a whole pack of which the broker took only part', async () => {
    const ids = await write(message(), message('transfer.failed.v1'), message());
    const relay = createOutboxRelay({
      db: transfers.db,
      logger,
      bus: {
        health: () => ({ connected: true, blocked: false }),
        publish: async (batch) =>
          batch.map(({ routingKey }) => ({
            status: routingKey === 'transfer.failed.v1' ? 'unroutable' : 'confirmed',
          })),
      },
    });
    expect(await relay.drain()).toBe(2);
    await relay.stop();
    expect((await follow(3)).ids).toEqual(ids);
  });

  test('reports a gap exactly when events after a place were pruned, even if an older row is kept', async () => {
    const [stuck] = await write(message());
    await write(message());
    const [kept] = await write(message());
    const { events } = await follow(3);
    await sql`update outbox set created_at = now() - interval '8 days' where id <= 2`.execute(transfers.db);
    await sql`update outbox set published_at = created_at where id = 2`.execute(transfers.db);
    const relay = createOutboxRelay({ db: transfers.db, logger, bus: NO_BUS });
    expect(await relay.prune()).toBe(1);
    const [first, second, third] = events.map(({ place }) => `after=${place}`);
    const asked = [await read(first ?? ''), await read(second ?? ''), await read(third ?? '')];
    expect(asked.map((page) => [page.isGap, idsOf(page)])).toEqual([
      [true, [kept]],
      [true, [kept]],
      [false, []],
    ]);
    const oldest = await read('from=oldest');
    expect([oldest.isGap, idsOf(oldest)]).toEqual([false, [stuck, kept]]);
    expect((await read(`after=${oldest.next}`)).isGap).toBe(false);
  });

  test('a place from before a restore or a failover is a gap, after which all that is kept is read', async () => {
    const ids = await write(message(), message());
    const { events, next } = await follow(2);
    const [first] = events;
    const inEpoch = await read(`after=${first?.place}`);
    expect([inEpoch.isGap, idsOf(inEpoch)]).toEqual([false, ids.slice(1)]);
    await transfers.pool.query(`update books_epoch set place = 'a server that was lost'`);
    for (const place of [`after=${first?.place}`, next]) {
      const page = await read(place);
      expect([page.isGap, idsOf(page)]).toEqual([true, ids]);
      expect(await read(`after=${page.next}`)).toMatchObject({ isGap: false, events: [] });
    }
  });

  test('a place of release 0.1, which has no epoch, is resumed', async () => {
    const ids = await write(message(), message());
    const { events } = await follow(2);
    const former = events[0]?.place.split('.')[1];
    expect((await follow(1, `after=${former}`)).ids).toEqual(ids.slice(1));
  });

  test('refuses a place from another log', async () => {
    await write(message());
    const { next, events } = await follow(1);
    const [writtenIn, id] = events[0]?.place.split('-') ?? [];
    const [epoch, end] = next.slice('after='.length).split(/[.-]/);
    const ahead = `${epoch}.${BigInt(end ?? 0) + 1_000_000n}-0-0`;
    const places = [
      ahead,
      `${writtenIn}-${Number(id) + 1}-0`,
      `${'9'.repeat(20)}-1-0`,
      `1-${'9'.repeat(19)}-0`,
      '7',
      'x-1-0',
    ];
    for (const place of places) expect(await ask(`after=${place}`)).toMatchObject(FOREIGN);
    expect(await ask('from=yesterday')).toMatchObject({ status: 400, body: { error: 'from must be oldest or now' } });
  });
});
