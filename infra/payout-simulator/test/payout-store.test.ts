import { randomUUID } from 'node:crypto';
import { createDatabase, type Database } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase, type TestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrations } from '../src/db/migrations/migrations.ts';
import type { Schema } from '../src/db/schema.ts';
import {
  type Acceptance,
  acceptPayouts,
  advanceDue,
  cancelEnqueued,
  type NewPayout,
} from '../src/payouts/payout.store.ts';

const logger = createLogger({ service: 'payout-store-test', level: 'silent' });
const FLOAT = '1000';
let server: TestDatabase;
let database: Database<Schema>;

beforeAll(async () => {
  server = await createTestDatabase('payout_store');
  database = createDatabase<Schema>({ url: server.url, service: 'payout-store-test', logger, poolSize: 6 });
  await migrate(database.db as unknown as Kysely<never>, migrations, logger);
});
beforeEach(async () => {
  await sql`truncate payouts, ledger`.execute(database.db);
  await database.db.updateTable('wallets').set({ balance: FLOAT, reserved: '0' }).execute();
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

function payoutOf(change: Partial<NewPayout> = {}): NewPayout {
  const now = new Date();
  return {
    id: randomUUID(),
    kind: 'payout',
    amount: '100',
    currency: 'KES',
    country: 'KEN',
    msisdn: '254703000000',
    network: 'MPESA_KEN',
    request: { recipient: {} },
    created_at: now,
    steps: [{ status: 'COMPLETED', afterMs: 0, callbackInMs: 1_000 }],
    step_at: now,
    effects: [],
    ...change,
  };
}
const payoutsOf = (count: number, change: Partial<NewPayout> = {}) =>
  Array.from({ length: count }, () => payoutOf(change));
const accept = (payouts: NewPayout[]) => acceptPayouts(database.db, payouts);
const advance = () => advanceDue(database.db, { now: new Date(), sendsCallbacks: true });
const countOf = (results: Acceptance[][], wanted: Acceptance) =>
  results.flat().filter((each) => each === wanted).length;

async function walletOf(currency: string) {
  const { rows } = await sql<{ balance: number; reserved: number }>`
    select balance::float8 as balance, reserved::float8 as reserved from wallets where currency = ${currency}`.execute(
    database.db,
  );
  return rows[0];
}

/** Runs statements concurrently: all have begun, and wait for the float, before the first of them gets it. */
async function atOnce<Result>(works: (() => Promise<Result>)[]): Promise<Result[]> {
  let results: Promise<Result[]> | undefined;
  await database.db.transaction().execute(async (gate) => {
    await sql`select from wallets for update`.execute(gate);
    results = Promise.all(works.map((work) => work()));
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        database.db,
      );
      return rows.length === works.length;
    });
  });
  return (await results) ?? [];
}

test('of two concurrent batches that exceed the float, exactly what fits is accepted', async () => {
  const mixed = () => [...payoutsOf(6), ...payoutsOf(3, { currency: 'TZS', country: 'TZA' })];
  const results = await atOnce([() => accept(mixed()), () => accept(mixed().toReversed())]);
  expect(countOf(results, 'accepted')).toBe(10 + 6);
  expect(countOf(results, 'out_of_funds')).toBe(2);
  expect(await walletOf('KES')).toEqual({ balance: 1_000, reserved: 1_000 });
  expect(await walletOf('TZS')).toEqual({ balance: 1_000, reserved: 600 });
});

test('within a batch the last of the float goes in order, skipping payouts that are too large for it', async () => {
  const [large, tooLarge, rest] = [payoutOf({ amount: '600' }), payoutOf({ amount: '400.01' }), payoutOf()];
  const shillings = payoutOf({ currency: 'TZS', country: 'TZA' });
  expect(await accept([large, tooLarge, large, rest, shillings])).toEqual([
    'accepted',
    'out_of_funds',
    'duplicate',
    'accepted',
    'accepted',
  ]);
  expect(await walletOf('KES')).toEqual({ balance: 1_000, reserved: 700 });
  expect(await accept([large, tooLarge])).toEqual(['duplicate', 'out_of_funds']);
});

test('an id that is twice in a batch, and in two concurrent batches, is accepted once', async () => {
  const [twice, shared, alsoShared] = payoutsOf(3) as [NewPayout, NewPayout, NewPayout];
  const results = await atOnce([
    () => accept([twice, shared, twice, alsoShared]),
    () => accept([alsoShared, payoutOf(), shared]),
  ]);
  expect(countOf(results, 'accepted')).toBe(4);
  expect(countOf(results, 'duplicate')).toBe(3);
  expect(await walletOf('KES')).toEqual({ balance: 1_000, reserved: 400 });
});

test('due payouts are paid once by concurrent engines, and the float is charged once', async () => {
  const due = payoutsOf(9);
  await accept(due);
  const moved = await Promise.all([advance(), advance(), advance(), accept(payoutsOf(1)).then(() => [])]);
  await advance();
  expect(moved.flat().filter(({ id }) => due.some((each) => each.id === id))).toHaveLength(9);
  expect(await database.db.selectFrom('ledger').selectAll().execute()).toHaveLength(10);
  expect(await walletOf('KES')).toEqual({ balance: 0, reserved: 0 });
});

test('an enqueued payout that is due is either cancelled or paid', async () => {
  const enqueued = payoutsOf(10, {
    steps: [
      { status: 'ENQUEUED', afterMs: 0 },
      { status: 'COMPLETED', afterMs: 0, callbackInMs: 1_000 },
    ],
  });
  await accept(enqueued);
  expect((await advance()).map(({ status }) => status)).toEqual(Array(10).fill('ENQUEUED'));
  const options = { now: new Date(), sendsCallbacks: true };
  const [cancelled] = await Promise.all([
    Promise.all(enqueued.map(({ id }) => cancelEnqueued(database.db, id, options))),
    advance(),
  ]);
  await advance();
  const failed = cancelled.filter((row) => row?.status === 'FAILED' && row.callback_due_at !== null);
  const ledger = await database.db.selectFrom('ledger').selectAll().execute();
  expect(failed.length + ledger.length).toBe(10);
  expect(await walletOf('KES')).toEqual({ balance: 100 * failed.length, reserved: 0 });
});
