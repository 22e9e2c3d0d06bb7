import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateWallet } from '#db/migrate-wallet.ts';
import { captureOf, createLedgerHarness, depositFor, holdFor, type LedgerHarness, logger, submit } from './harness.ts';

const role = `vuka_wallet_test_${randomUUID().slice(0, 8)}`;
const userId = randomUUID();
let ledger: LedgerHarness;
let runtimeUrl: string;
beforeAll(async () => {
  ledger = await createLedgerHarness('append_only');
  await ledger.pool.query(`create role ${role} login password 'test-only'`);
  const url = new URL(ledger.url);
  url.username = role;
  url.password = 'test-only';
  runtimeUrl = url.toString();
  await migrateWallet({ url: ledger.url, runtimeUrl, logger });
  const writer = ledger.writer({ url: runtimeUrl });
  const hold = holdFor(userId, '10.00');
  for (const command of [depositFor(userId, '100.00'), hold, captureOf(hold), holdFor(userId, '1.00')]) {
    expect(await submit(writer, command)).toMatchObject({ outcome: 'applied' });
  }
  await writer.stop();
});
afterAll(async () => {
  await ledger.pool.query(`drop owned by ${role}; drop role ${role}`);
  await ledger.stop();
});

async function attempt(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end();
  }
}

const history = ['journals', 'ledger_entries', 'deposits', 'kept_sums'];
/** A column of each table, and another value. */
const CHANGES: Record<string, string> = { journals: "key = 'x'", kept_sums: 'fees_minor = 0' };
const changesOf = (table: string): string[] => [
  `update ${table} set ${CHANGES[table] ?? "currency = 'KES'"}`,
  `delete from ${table}`,
  `truncate ${table}`,
];
test.each(history)('prevents even the owner from changing, deleting or truncating %s', async (table) => {
  for (const statement of changesOf(table)) {
    expect(await attempt(ledger.url, statement)).toBe(`${table} is append-only`);
  }
});

test('prevents even the owner from reopening, shrinking or deleting a hold', async () => {
  const resolved = "update holds set state = 'open', resolved_by = null where state = 'captured'";
  for (const statement of [resolved, 'update holds set amount_minor = 1', 'delete from holds', 'truncate holds']) {
    expect(await attempt(ledger.url, statement)).toBe('holds is append-only');
  }
});

test('gives the service’s role no right to change history or an account’s fixed columns', async () => {
  const statements = [
    ...history.flatMap(changesOf),
    'update accounts set floor_minor = -1000000',
    'delete from accounts',
    'update holds set amount_minor = 1',
    'drop trigger journals_append_only on journals',
    'alter table ledger_entries disable trigger all',
  ];
  for (const statement of statements)
    expect(await attempt(runtimeUrl, statement)).toMatch(/permission denied|must be owner/);
});

test('refuses a balance below its floor from any role', async () => {
  const overdraw = `update accounts set posted_minor = held_minor - 1 where code = 'wallet:${userId}:KES'`;
  expect(await attempt(ledger.url, overdraw)).toMatch(/accounts_floor/);
});
