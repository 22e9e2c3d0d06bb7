import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTransferSummary } from '#history/summarise-transfers.ts';
import { createTransfers, type Transfers } from './harness.ts';

const DAY_MS = 86_400_000;

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

/** A newly started process without cached counts. */
async function summarise() {
  await transfers.settleClock();
  return createTransferSummary({ ...transfers.deps, now: transfers.clock.now })();
}

async function ordered(sourceAmount: string, targetAmount: string): Promise<string> {
  const result = await transfers.order(transfers.merchant(), { sourceAmount, targetAmount });
  return result.transaction.id;
}

async function settle(id: string): Promise<void> {
  await transfers.execute(id);
  const payout = await transfers.payoutOf(id);
  await transfers.callback(await transfers.paidReport(payout.id));
  await transfers.ended(id);
}

test('counts the last thirty days without gaps, by outcome, with the settled volume', async () => {
  const before = (await summarise()).days;
  expect(before).toHaveLength(30);
  expect(
    before.every((day, index) => index === 0 || Date.parse(day.day) - Date.parse(before[index - 1]!.day) === DAY_MS),
  ).toBe(true);
  await settle(await ordered('1000', '23030'));
  await settle(await ordered('2500', '57575'));
  await ordered('100', '2303');
  expect((await summarise()).days.at(-1)).toEqual({
    day: before.at(-1)?.day,
    settled: 2,
    failed: 0,
    open: 1,
    volumes: { KES: '3500.00', TZS: '0.00' },
  });
});

test('what the provider has been asked to pay out counts as with it until it has reported the end', async () => {
  const before = Number((await summarise()).withProvider?.KES);
  const withProvider = async () => Number((await summarise()).withProvider?.KES) - before;
  const id = await ordered('700', '16121');
  expect(await withProvider()).toBe(0);
  await transfers.execute(id);
  expect(await withProvider()).toBe(700);
  const payout = await transfers.payoutOf(id);
  await transfers.callback(await transfers.paidReport(payout.id));
  await transfers.ended(id);
  expect(await withProvider()).toBe(0);
});

test('the time to deliver is the median of what was settled today, and none before the first', async () => {
  const atNoonMs = Date.parse('2031-02-01T09:00:00Z');
  transfers.clock.advance(atNoonMs - transfers.clock.now().getTime());
  expect((await summarise()).medianDeliveryMs).toBeNull();
  for (const tookMs of [60_000, 4_000, 9_000]) {
    const id = await ordered('1000', '23030');
    transfers.clock.advance(tookMs);
    await settle(id);
  }
  await ordered('100', '2303');
  expect((await summarise()).medianDeliveryMs).toBe(9_000);
});

test('a day begins at midnight in East Africa', async () => {
  const midnightMs = Date.parse('2031-03-05T21:00:00Z');
  const last = async (atMs: number) => {
    transfers.clock.advance(atMs - transfers.clock.now().getTime());
    return (await summarise()).days.at(-1)?.day;
  };
  expect(await last(midnightMs - 1)).toBe('2031-03-05');
  expect(await last(midnightMs)).toBe('2031-03-06');
});

test('a past day with an open transfer is counted again until it has ended', async () => {
  const atNoonMs = Date.parse('2031-04-01T09:00:00Z');
  transfers.clock.advance(atNoonMs - transfers.clock.now().getTime());
  const summary = createTransferSummary({ ...transfers.deps, now: transfers.clock.now });
  const yesterday = async () => (await summary()).days.find(({ day }) => day === '2031-04-01');
  const id = await ordered('1000', '23030');
  transfers.clock.advance(DAY_MS);
  expect(await yesterday()).toMatchObject({ settled: 0, open: 1 });
  await settle(id);
  transfers.clock.advance(10_000);
  expect(await yesterday()).toMatchObject({ settled: 1, open: 0, volumes: { KES: '1000.00' } });
});

test('a past day is read in full again only when one of its open transfers has ended', async () => {
  const atNoonMs = Date.parse('2031-05-01T09:00:00Z');
  transfers.clock.advance(atNoonMs - transfers.clock.now().getTime());
  const ids = [await ordered('1000', '23030'), await ordered('1000', '23030')];
  transfers.clock.advance(DAY_MS);
  const read: string[] = [];
  const db = transfers.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read.push(...result.rows.map((row) => Object.keys(row).join()));
      return result;
    },
  });
  const summary = createTransferSummary({ ...transfers.deps, db, now: transfers.clock.now });
  const rowsOfDays = async () => {
    read.splice(0);
    transfers.clock.advance(10_000);
    await summary();
    return read.filter((columns) => columns === 'status,currency,count,amount').length;
  };
  await rowsOfDays();
  const atRest = await rowsOfDays();
  await settle(ids[0]!);
  expect(await rowsOfDays()).toBe(atRest + 2);
  expect(await rowsOfDays()).toBe(atRest);
});

test('reports the number of stuck transfers and since when the oldest waits', async () => {
  const { count } = (await summarise()).stuck;
  const id = await ordered('1000', '23030');
  transfers.clock.advance(899_000);
  expect((await summarise()).stuck.count).toBe(count);
  transfers.clock.advance(2_000);
  const { stuck } = await summarise();
  expect(stuck.count).toBe(count + 1);
  const oldest = await transfers.db
    .selectFrom('transactions')
    .select('created_at')
    .where('is_open', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  expect(stuck.oldestCreatedAt).toBe(oldest.created_at.toISOString());
  expect(await transfers.transfer(id)).toMatchObject({ is_open: true });
});

test('is for administrators only', async () => {
  const merchant = transfers.merchant();
  expect((await transfers.send('GET', '/internal/transfer-summary', { caller: merchant })).status).toBe(403);
  const admin = { ...merchant, isAdmin: true, role: 'owner' as const };
  expect((await transfers.send('GET', '/internal/transfer-summary', { caller: admin })).body.days).toHaveLength(30);
});
