import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Database } from '#database.ts';
import { readKeyring } from '#keyring.ts';
import { addSealedColumn, createSealedRows, sealingPart } from '#sealed-rows.ts';

interface Letter {
  id: string;
  text: string;
  is_open: boolean;
  sealed: Buffer | null;
}

const OLD = 'the-old-secret-of-at-least-32-characters';
const NEW = 'the-new-secret-of-at-least-32-characters';
const logger = pino({ level: 'silent' });
let server: TestDatabase;
let database: Database<{ letters: Letter }>;
beforeAll(async () => {
  server = await createTestDatabase('sealed');
  database = createDatabase({ url: server.url, service: 'test', logger, indexScansOnly: true });
  await sql`
    create table letters (id text primary key, text text not null, is_open boolean not null default false)`.execute(
    database.db,
  );
  await addSealedColumn(database.db as never, 'letters');
});
afterAll(async () => {
  await database.close();
  await server.drop();
});
beforeEach(() => database.db.deleteFrom('letters').execute());

const lettersBy = (secrets: string) =>
  createSealedRows<Letter, { text: string }>(
    {
      table: 'letters',
      key: ['id'],
      clear: ({ text }) => ({ text }),
      erase: sql`text = ''`,
      isSettled: sql`not is_open`,
    },
    readKeyring(secrets),
  );
const all = () => database.db.selectFrom('letters').selectAll().orderBy('id').execute();
const write = (ids: string[], change: Partial<Letter> = {}) =>
  database.db
    .insertInto('letters')
    .values(ids.map((id) => ({ id, text: `to ${id}`, is_open: false, sealed: null, ...change })))
    .execute();
const texts = async (letters: ReturnType<typeof lettersBy>) => (await all()).map((row) => letters.open(row).text);

test('rows in clear text are readable, and are sealed in batches until none is left', async () => {
  const letters = lettersBy(OLD);
  await write(['a', 'b', 'c']);
  expect(await texts(letters)).toEqual(['to a', 'to b', 'to c']);
  expect([await letters.sealSome(database.db, 2), await letters.sealSome(database.db, 2)]).toEqual([2, 1]);
  expect(await letters.sealSome(database.db, 2)).toBe(0);
  const rows = await all();
  expect(rows.map(({ text }) => text)).toEqual(['', '', '']);
  expect(rows.every(({ sealed }) => sealed && !sealed.toString('latin1').includes('to '))).toBe(true);
  expect(await texts(letters)).toEqual(['to a', 'to b', 'to c']);
});

test('a row in clear text that is not settled is left alone', async () => {
  const letters = lettersBy(OLD);
  await write(['a'], { is_open: true });
  expect(await letters.sealSome(database.db, 10)).toBe(0);
  expect((await all())[0]).toMatchObject({ text: 'to a', sealed: null });
});

test('after a key was put before it, rows of the old key are readable, and sealed by the new one', async () => {
  await write(['a', 'b']);
  await lettersBy(OLD).sealSome(database.db, 10);
  const both = lettersBy(`${NEW},${OLD}`);
  await write(['c'], { text: '', sealed: both.seal({ id: 'c' }, { text: 'to c' }) });
  expect(await texts(both)).toEqual(['to a', 'to b', 'to c']);
  expect([await both.sealSome(database.db, 10), await both.sealSome(database.db, 10)]).toEqual([2, 0]);
  expect(await texts(lettersBy(NEW))).toEqual(['to a', 'to b', 'to c']);
  await expect(texts(lettersBy(OLD))).rejects.toThrow('no key with id');
});

test('what was sealed for one row does not open in another, and a changed one not at all', async () => {
  const letters = lettersBy(OLD);
  await write(['a', 'b']);
  await letters.sealSome(database.db, 10);
  const [a, b] = (await all()) as [Letter, Letter];
  expect(() => letters.open({ ...a, sealed: b.sealed })).toThrow();
  const changed = Buffer.from(a.sealed ?? []);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(() => letters.open({ ...a, sealed: changed })).toThrow();
});

test('two processes share the work, and neither waits for a row that is locked', async () => {
  const letters = lettersBy(OLD);
  const ids = Array.from({ length: 40 }, (_, index) => `letter ${String(index).padStart(2, '0')}`);
  await write(ids);
  const locked = await database.pool.connect();
  await locked.query(`begin; select * from letters where id = 'letter 00' for update`);
  const sealed = await Promise.all([letters.sealSome(database.db, 50), letters.sealSome(database.db, 50)]);
  expect(sealed[0] + sealed[1]).toBe(39);
  await locked.query('rollback');
  locked.release();
  expect(await letters.sealSome(database.db, 50)).toBe(1);
  expect(await texts(letters)).toEqual(ids.map((id) => `to ${id}`));
});

test('a running service seals more rows than a batch, reports its progress, and ends when it stops', async () => {
  const letters = lettersBy(OLD);
  await write(Array.from({ length: 520 }, (_, index) => `letter ${index}`));
  const lines: object[] = [];
  const log = { ...logger, info: (facts: object) => lines.push(facts) } as unknown as typeof logger;
  const part = sealingPart({ db: database.db, logger: log }, [letters]);
  await part.start();
  await until(async () => (await all()).every(({ sealed }) => sealed));
  await part.stop();
  expect(lines).toEqual([
    { table: 'letters', rows: 500, isDone: false },
    { table: 'letters', rows: 520, isDone: true },
  ]);
});
