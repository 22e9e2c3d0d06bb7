import { createTestDatabase } from '@vuka/test-kit/postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndex } from '#create-index.ts';
import { createDatabase, type Database } from '#database.ts';
import { createLogger } from '#logger.ts';

const server = await createTestDatabase('create-index');
const logger = createLogger({ service: 'create-index-test', level: 'silent' });
let database: Database<never>;
beforeAll(async () => {
  database = createDatabase<never>({ url: server.url, service: 'create-index-test', logger });
  await database.pool.query('create table goods (name text); create index goods_before on goods (name)');
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

/** The locks on the table while the migration's transaction is open. */
const locksOf = (name: string, definition: string) =>
  database.db.transaction().execute(async (trx) => {
    await createIndex(trx as never, name, sql.raw(definition));
    const { rows } = await sql<{ mode: string }>`
      select mode from pg_locks where pid = pg_backend_pid() and relation = 'goods'::regclass`.execute(trx);
    return rows.map(({ mode }) => mode);
  });
const isValid = async (name: string) => {
  const { rows } = await database.pool.query('select indisvalid from pg_index where indexrelid = to_regclass($1)', [
    name,
  ]);
  return rows[0]?.indisvalid;
};

test('an index that was created beforehand takes no lock on its table', async () => {
  expect(await locksOf('goods_before', 'create index goods_before on goods (name)')).toEqual([]);
});

test('a missing index is created', async () => {
  await locksOf('goods_missing', 'create index goods_missing on goods (name)');
  expect(await isValid('goods_missing')).toBe(true);
});

test('an index whose creation beforehand failed stops the migration, which says what to do, until it is dropped', async () => {
  const { pool } = database;
  await pool.query(`insert into goods values ('salt'), ('salt')`);
  await expect(pool.query('create unique index concurrently goods_once on goods (name)')).rejects.toThrow('goods_once');
  await pool.query('truncate goods');
  const create = () => locksOf('goods_once', 'create unique index goods_once on goods (name)');
  await expect(create()).rejects.toThrow('run "drop index concurrently goods_once"');
  expect(await isValid('goods_once')).toBe(false);
  await pool.query('drop index concurrently goods_once');
  await create();
  expect(await isValid('goods_once')).toBe(true);
});
