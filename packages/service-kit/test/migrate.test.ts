import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase } from '#database.ts';
import { migrateDatabase } from '#migrate.ts';

const logger = pino({ level: 'silent' });
let server: TestDatabase;
beforeEach(async () => {
  server = await createTestDatabase('migrate');
});
afterEach(() => server.drop());

const migrateBy = (migrations: Record<string, Migration>) =>
  migrateDatabase({ url: server.url, service: 'test', logger, migrations });

test('a migration has no statement timeout', async () => {
  let limit: string | undefined;
  const patient: Migration = {
    async up(db) {
      const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
      limit = rows[0]?.statement_timeout;
    },
  };
  await migrateBy({ '0001-patient': patient });
  expect(limit).toBe('0');
});

test('a migration that waits for a lock soon gives way to other statements, and succeeds on a later attempt', async () => {
  const migrations: Record<string, Migration> = {
    '0001-goods': { up: (db) => db.schema.createTable('goods').addColumn('name', 'text').execute() },
  };
  await migrateBy(migrations);
  const { pool, close } = createDatabase({ url: server.url, service: 'test', logger });
  const reader = await pool.connect();
  await reader.query('begin; select * from goods');
  migrations['0002-price'] = { up: (db) => db.schema.alterTable('goods').addColumn('price', 'bigint').execute() };
  await expect(migrateBy(migrations)).rejects.toMatchObject({ code: '55P03' });
  await pool.query('select * from goods');
  await reader.query('commit');
  reader.release();
  await migrateBy(migrations);
  await pool.query('select price from goods');
  await close();
});

describe('a process of an earlier release', () => {
  const table = (name: string): Migration => ({
    up: (db) => db.schema.createTable(name).addColumn('id', 'bigint').execute(),
  });
  const first = { '0001-goods': table('goods') };

  test('starts on the tables of a later one', async () => {
    await migrateBy({ ...first, '0002-prices': table('prices') });
    await expect(migrateBy(first)).resolves.toBeUndefined();
  });

  test('is refused where a migration is unknown that is no later one, or its own are missing', async () => {
    await migrateBy({ '0000-lost': table('lost'), ...first });
    await expect(migrateBy(first)).rejects.toThrow('0000-lost');
    const missing = { ...first, '0003-more': table('more') };
    await expect(migrateBy(missing)).rejects.toThrow('0000-lost');
  });
});
