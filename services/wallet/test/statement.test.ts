import { randomUUID } from 'node:crypto';
import type { EntryRange, WalletCommand } from '@vuka/contracts/internal/wallet';
import { parseMoney } from '@vuka/money';
import { createDatabase } from '@vuka/service-kit/database';
import { until } from '@vuka/test-kit/until';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WalletSchema } from '#db/schema.ts';
import type { LedgerWriter } from '#ledger/ledger-writer.ts';
import { listStatementEntries } from '#statements/list-statement-entries.ts';
import { sumEntries } from '#statements/sum-entries.ts';
import { sumStatement } from '#statements/sum-statement.ts';
import {
  captureOf,
  createLedgerHarness,
  depositFor,
  holdFor,
  type LedgerHarness,
  logger,
  releaseOf,
  submit,
} from './harness.ts';

let ledger: LedgerHarness;
let writer: LedgerWriter;
beforeAll(async () => {
  ledger = await createLedgerHarness('statement');
  writer = ledger.writer();
  await until(() => writer.isConnected());
});
afterAll(() => ledger.stop());

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const FAR_AHEAD = new Date('2090-01-01T00:00:00Z');

async function apply(...commands: WalletCommand[]) {
  for (const command of commands) expect(await submit(writer, command)).toMatchObject({ outcome: 'applied' });
}

/** The server's clock, after everything committed so far and before everything later. */
async function moment(): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select date_trunc('milliseconds', clock_timestamp()) + '1 ms' as at`.execute(
    ledger.db,
  );
  const at = rows[0]?.at ?? new Date(0);
  await until(async () => {
    const now = await sql<{ past: boolean }>`select clock_timestamp() > ${at} as past`.execute(ledger.db);
    return now.rows[0]?.past;
  });
  return at;
}

async function pay(userId: string, amount: string, fee = '0.00') {
  const hold = holdFor(userId, amount);
  await apply(hold, { ...captureOf(hold), fee });
  return hold;
}

async function entriesOf(userId: string, ranges: EntryRange[], limit: number) {
  const entries = [];
  let left: EntryRange[] | null = ranges;
  while (left) {
    const page: Awaited<ReturnType<typeof listStatementEntries>> = await listStatementEntries(ledger.db, {
      userId,
      ranges: left,
      limit,
    });
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    entries.push(...page.entries);
    left = page.next;
  }
  return entries;
}

test('a period opens where the previous one closed, and opening, in, out and fees give the closing balance', async () => {
  const userId = randomUUID();
  await apply(depositFor(userId, '1000.00'), depositFor(userId, '50.00', 'TZS'));
  const first = await moment();
  await pay(userId, '100.00', '2.50');
  await apply(depositFor(userId, '7.00'));
  await pay(userId, '30.00');
  const second = await moment();
  await pay(userId, '10.00', '1.00');
  const open = holdFor(userId, '40.00');
  await apply(open);
  const released = holdFor(userId, '5.00');
  await apply(released, releaseOf(released));

  const sums = async (from: Date, before: Date) =>
    (await sumStatement(ledger.db, { userId, from, before })).wallets.map(({ range: _, ...wallet }) => wallet);
  const tzs = { currency: 'TZS', moneyOut: '0.00', fees: '0.00', held: '0.00', closing: '50.00' };
  expect(await sums(LONG_AGO, first)).toEqual([
    {
      currency: 'KES',
      opening: '0.00',
      moneyIn: '1000.00',
      moneyOut: '0.00',
      fees: '0.00',
      closing: '1000.00',
      held: '40.00',
    },
    { ...tzs, opening: '0.00', moneyIn: '50.00' },
  ]);
  expect(await sums(first, second)).toEqual([
    {
      currency: 'KES',
      opening: '1000.00',
      moneyIn: '7.00',
      moneyOut: '127.50',
      fees: '2.50',
      closing: '877.00',
      held: '40.00',
    },
    { ...tzs, opening: '50.00', moneyIn: '0.00' },
  ]);
  expect(await sums(second, FAR_AHEAD)).toMatchObject([
    { opening: '877.00', moneyIn: '0.00', moneyOut: '9.00', fees: '1.00', closing: '867.00' },
    { opening: '50.00', closing: '50.00' },
  ]);
});

test('the entries of a period add up to its sums, each once, oldest first, at any page size', async () => {
  const userId = randomUUID();
  await apply(depositFor(userId, '500.00'), depositFor(userId, '9.00', 'TZS'));
  const from = await moment();
  for (let count = 1; count <= 6; count++) {
    await pay(userId, `${count}.00`, '0.10');
    await apply(depositFor(userId, '1.00', count % 2 ? 'KES' : 'TZS'));
  }
  const { wallets } = await sumStatement(ledger.db, { userId, from, before: FAR_AHEAD });
  const ranges = wallets.map(({ range }) => range);
  const whole = await entriesOf(userId, ranges, 500);
  expect(whole).toHaveLength(12);
  for (const limit of [1, 5, 12]) expect(await entriesOf(userId, ranges, limit)).toEqual(whole);
  for (const wallet of wallets) {
    const own = whole.filter(({ currency }) => currency === wallet.currency);
    const balances = own.reduce((running, entry) => {
      const balance = running + parseMoney(entry.amount);
      expect(entry.balanceAfter).toBe(`${balance / 100n}.${String(balance % 100n).padStart(2, '0')}`);
      return balance;
    }, parseMoney(wallet.opening));
    expect(balances).toBe(parseMoney(wallet.closing));
    const fees = own.reduce((sum, { fee }) => sum + parseMoney(fee), 0n);
    expect(fees).toBe(parseMoney(wallet.fees));
  }
});

test('another user’s entries are never returned, whatever ranges are requested', async () => {
  const [amina, juma] = [randomUUID(), randomUUID()];
  await apply(depositFor(amina, '10.00'), depositFor(juma, '10.00'));
  const { wallets } = await sumStatement(ledger.db, { userId: amina, from: LONG_AGO, before: FAR_AHEAD });
  const ranges = wallets.map(({ range }) => range);
  expect(await entriesOf(amina, ranges, 10)).toHaveLength(1);
  expect(await entriesOf(juma, ranges, 10)).toEqual([]);
});

test('a user without wallets has an empty statement', async () => {
  expect(await sumStatement(ledger.db, { userId: randomUUID(), from: LONG_AGO, before: FAR_AHEAD })).toEqual({
    wallets: [],
  });
});

/** Fails the query of this number, and those after it. */
function failingAt(number: number): KyselyPlugin {
  let queries = 0;
  return {
    transformQuery({ node }) {
      queries += 1;
      if (queries >= number) throw new Error('the connection was lost');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

test('any span of thousands of entries has the sums of its entries, whether sums are kept or not, and where nothing can be written', async () => {
  const userId = randomUUID();
  await apply(depositFor(userId, '10000.00'));
  for (let round = 0; round < 10; round++) {
    const holds = Array.from({ length: 70 }, () => holdFor(userId, '1.00'));
    await Promise.all([
      ...holds.map((hold) => apply(hold, { ...captureOf(hold), fee: '0.10' })),
      ...Array.from({ length: 160 }, () => apply(depositFor(userId, '2.00'))),
    ]);
  }
  const { wallets } = await sumStatement(ledger.db, { userId, from: FAR_AHEAD, before: FAR_AHEAD });
  const accountId = BigInt(wallets[0]?.range.accountId ?? 0);
  const entries = await entriesOf(userId, [{ accountId: String(accountId), afterSeq: '0', uptoSeq: '2301' }], 500);
  expect(entries).toHaveLength(2_301);
  const expected = (afterSeq: number, uptoSeq: number) => {
    const own = entries.slice(afterSeq, uptoSeq).map((entry) => ({ ...entry, minor: parseMoney(entry.amount) }));
    return {
      moneyIn: own.reduce((sum, { minor }) => (minor > 0n ? sum + minor : sum), 0n),
      moneyOut: own.reduce((sum, { minor }) => (minor < 0n ? sum - minor : sum), 0n),
      fees: own.reduce((sum, { fee }) => sum + parseMoney(fee), 0n),
    };
  };
  const kept = async () => {
    const rows = await ledger.db.selectFrom('kept_sums').select('block').where('account_id', '=', accountId).execute();
    return rows.map(({ block }) => Number(block)).sort();
  };
  const sums = (afterSeq: number, uptoSeq: number, db = ledger.db) =>
    sumEntries(db, { accountId, afterSeq: BigInt(afterSeq), uptoSeq: BigInt(uptoSeq) });

  const url = new URL(ledger.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const readOnly = createDatabase<WalletSchema>({ url: url.toString(), service: 'wallet-test', logger });
  expect(await sums(0, 2_301, readOnly.db)).toEqual(expected(0, 2_301));
  await expect(sql`delete from outbox`.execute(readOnly.db)).rejects.toThrow(/read-only/);
  await readOnly.close();
  expect(await sums(1, 1_999)).toEqual(expected(1, 1_999));
  expect(await kept()).toEqual([]);
  const span = { accountId, afterSeq: 999n, uptoSeq: 2_301n };
  await expect(sumEntries(ledger.db.withPlugin(failingAt(5)), span, 1_000n)).rejects.toThrow('the connection was lost');
  expect(await kept()).toEqual([1]);
  expect(await sumEntries(ledger.db, span, 1_000n)).toEqual(expected(999, 2_301));
  expect(await sums(999, 2_100)).toEqual(expected(999, 2_100));
  expect(await kept()).toEqual([1]);
  for (let times = 1; times <= 2; times++) {
    expect(await sums(0, 2_301)).toEqual(expected(0, 2_301));
    expect(await kept()).toEqual([0, 1]);
  }
  for (const [from, upto] of [
    [0, 0],
    [500, 500],
    [0, 1_000],
    [1_000, 2_000],
    [1, 2_000],
    [999, 1_001],
    [2_000, 2_301],
  ] as const)
    expect(await sums(from, upto)).toEqual(expected(from, upto));
});
