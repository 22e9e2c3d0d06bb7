import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { type Generated, sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type Database, inOneTrip, isDatabaseUnavailable, send } from '#database.ts';

interface Schema {
  goods: { id: Generated<number>; name: string };
}

let server: TestDatabase;
let database: Database<Schema>;
let columns = 0;
beforeEach(async () => {
  server = await createTestDatabase('database');
  database = createDatabase({ url: server.url, service: 'test', logger: pino({ level: 'silent' }), poolSize: 3 });
  await sql`create table goods (id integer generated always as identity, name text)`.execute(database.db);
});
afterEach(async () => {
  await database.close();
  await server.drop();
});

const find = (db = database.db) => db.selectFrom('goods').selectAll().where('name', '=', 'tea').execute();
const insert = (db = database.db) =>
  db.insertInto('goods').values({ name: 'tea' }).returningAll().executeTakeFirstOrThrow();

/** A release that migrates while this process runs. */
async function addColumn() {
  columns += 1;
  await sql`alter table goods add column ${sql.ref(`more_${columns}`)} text`.execute(database.db);
}

/** Makes each connection prepare the statements, and leaves three rows. */
async function useEveryConnection() {
  const transactions = await Promise.all([1, 2, 3].map(() => database.db.startTransaction().execute()));
  for (const trx of transactions) {
    await insert(trx);
    await find(trx);
    await trx.commit().execute();
  }
}

test('after a column was added, a statement outside of a transaction succeeds on every connection', async () => {
  await useEveryConnection();
  expect(database.pool.totalCount).toBe(3);
  await addColumn();
  const found = await Promise.all([find(), find(), find(), find(), find(), find()]);
  for (const rows of found) expect(rows).toHaveLength(3);
  expect(await insert()).toMatchObject({ name: 'tea' });
  await addColumn();
  expect(await insert()).toMatchObject({ name: 'tea' });
  expect(await find()).toHaveLength(5);
});

test('a transaction that meets an added column fails as a whole, and the next one works on any connection', async () => {
  await useEveryConnection();
  await addColumn();
  const failure = await database.db
    .transaction()
    .execute(insert)
    .catch((error: unknown) => error);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect(await find()).toHaveLength(3);
  const again = await Promise.all([1, 2, 3].map(() => database.db.transaction().execute(insert)));
  expect(again).toHaveLength(3);
});

test('a statement of a transaction sent in one trip is never repeated outside of it', async () => {
  await useEveryConnection();
  await addColumn();
  const client = await database.pool.connect();
  const statement = database.db.insertInto('goods').values({ name: 'tea' }).returningAll().compile();
  const trip = inOneTrip([client.query('begin'), send(client, statement), client.query('commit')]);
  const failure = await trip.catch((error: unknown) => error);
  client.release();
  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect(await find()).toHaveLength(3);
});

describe('a server that accepts no writes', () => {
  let operator: Database<Schema>;
  const name = () => sql.id(new URL(server.url).pathname.slice(1));
  beforeEach(async () => {
    operator = createDatabase({ url: server.url, service: 'operator', logger: pino({ level: 'silent' }), poolSize: 1 });
    await sql`select 1`.execute(operator.db);
    await sql`alter database ${name()} set default_transaction_read_only = on`.execute(operator.db);
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'test'`.execute(
      operator.db,
    );
  });
  afterEach(() => operator.close());

  test('counts as unavailable, for statements and for the readiness check', async () => {
    const failure = await insert().catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await database.ping()).toBe(false);
  });

  test('fails a whole transaction as unavailable, also its statements after the first', async () => {
    const failures = await database.db
      .transaction()
      .execute(async (trx) => {
        const first = await insert(trx).catch((error: unknown) => error);
        const second = await insert(trx).catch((error: unknown) => error);
        return [first, second];
      })
      .catch((error: unknown) => [error]);
    for (const failure of failures) expect(isDatabaseUnavailable(failure)).toBe(true);
  });

  test('is left by its connections, so that the one that takes over is used at once', async () => {
    await expect(insert()).rejects.toMatchObject({ code: '25006' });
    await sql`alter database ${name()} reset default_transaction_read_only`.execute(operator.db);
    expect(await insert()).toMatchObject({ name: 'tea' });
    expect(await database.ping()).toBe(true);
  });
});

test.each(['53100', '53200', '58030'])('error %s is the server’s, not the statement’s', (code) => {
  expect(isDatabaseUnavailable(Object.assign(new Error('could not extend file'), { code }))).toBe(true);
});
