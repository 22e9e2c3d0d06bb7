import { afterAll, beforeEach, expect, test } from 'vitest';
import { countStuck } from '#history/summarise-transfers.ts';
import { advanceFrom, advanceTransfer } from '#saga/advance-transfer.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
const started: Transfers[] = [];
beforeEach(async () => {
  transfers = await createTransfers();
  started.push(transfers);
});
afterAll(() => Promise.all(started.map((each) => each.stop())));

const MINUTE_MS = 60_000;

async function ordered() {
  const { transaction } = await transfers.order(transfers.merchant());
  return transaction.id as string;
}

/** Inserts copies of a transfer that are older than every other transfer. */
async function copyAsOlder(id: string, count: number) {
  const { ended_as: _, ...row } = (await transfers.transfer(id)) as Awaited<ReturnType<Transfers['transfer']>> & {
    ended_as?: unknown;
  };
  const copies = Array.from({ length: count }, (_copy, index) => ({
    ...row,
    metadata: JSON.stringify(row.metadata),
    failure: row.failure && JSON.stringify(row.failure),
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    client_transaction_id: `COPY-${index}`,
  }));
  await transfers.db.insertInto('transactions').values(copies).execute();
}

test('our own steps are taken however many older payouts are due', async () => {
  const payingOut = await ordered();
  await transfers.execute(payingOut);
  const capturing = await ordered();
  await transfers.execute(capturing);
  await copyAsOlder(payingOut, 500);
  transfers.fakes.switches.walletUnavailable = true;
  await transfers.callback(await transfers.paidReport((await transfers.payoutOf(capturing)).id));
  await transfers.execute(capturing);
  expect((await transfers.transfer(capturing)).step).toBe('capturing');
  transfers.fakes.switches.walletUnavailable = false;
  transfers.clock.advance(MINUTE_MS);
  await transfers.sweep();
  expect((await transfers.transfer(capturing)).status).toBe('SETTLED');
});

test('a transfer at a step of a later release waits unchanged, and holds up no other', async () => {
  const [later, due] = [await ordered(), await ordered()];
  const step = 'of_a_later_release' as 'created';
  await transfers.db.updateTable('transactions').set({ step, next_action_at: null }).where('id', '=', later).execute();
  transfers.clock.advance(60 * MINUTE_MS);
  transfers.fakes.switches.walletUnavailable = true;
  expect(await advanceTransfer(transfers.deps, due)).toMatchObject({ outcome: 'postponed' });
  transfers.fakes.switches.walletUnavailable = false;
  transfers.clock.advance(60 * MINUTE_MS);
  await transfers.sweep();
  expect((await transfers.transfer(due)).step).toBe('paying_out');
  expect((await transfers.transfer(later)).step).toBe(step);
});

test('a transfer that another process changes while it is postponed is looked at again within seconds', async () => {
  const id = await ordered();
  const read = await transfers.transfer(id);
  // As the sweep of a process whose clock is ahead: it marks the transfer as stuck, and keeps its time.
  await transfers.db
    .updateTable('transactions')
    .set({ version: read.version + 1 })
    .where('id', '=', id)
    .execute();
  transfers.fakes.switches.walletUnavailable = true;
  expect(await advanceFrom(transfers.deps, read)).toMatchObject({ outcome: 'postponed' });
  transfers.fakes.switches.walletUnavailable = false;
  transfers.clock.advance(MINUTE_MS);
  await transfers.sweep();
  expect((await transfers.transfer(id)).step).toBe('paying_out');
});

test('a command that no worker handles is resent every twenty minutes, not at each sweep', async () => {
  const id = await ordered();
  const commands = async () => (await transfers.messages(id)).filter((key) => key === 'transfer.execute.v1').length;
  transfers.clock.advance(20 * MINUTE_MS + 1);
  for (let sweeps = 0; sweeps < 10; sweeps += 1) {
    await transfers.sweep();
    transfers.clock.advance(MINUTE_MS);
  }
  expect(await commands()).toBe(2);
  transfers.clock.advance(10 * MINUTE_MS);
  await transfers.sweep();
  expect(await commands()).toBe(3);
});

test('a worker whose clock is ahead by an hour leaves no transfer alone for that hour', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  const inOrder = (await transfers.transfer(transaction.id)).next_action_at;
  const before = transfers.clock.now().getTime();
  transfers.clock.advance(60 * MINUTE_MS);
  // Not through the harness, which sets the database's clock as well.
  await advanceTransfer(transfers.deps, transaction.id);
  const { next_action_at: next } = await transfers.transfer(transaction.id);
  const waits = [inOrder, next].map((at) => (at?.getTime() ?? 0) - before);
  expect(Math.min(...waits)).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThan(30 * MINUTE_MS);
});

test('a worker whose clock is ahead by an hour marks no new transfer as stuck, and lists and counts none', async () => {
  const id = await ordered();
  await transfers.execute(id);
  const listed = async () => {
    const caller = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const };
    const { body } = await transfers.send('GET', '/internal/stuck-transfers', { caller });
    return [body.stuckTransactions.length, (await countStuck(transfers.deps)).count];
  };
  transfers.skew.ms = 60 * MINUTE_MS;
  transfers.clock.advance(60 * MINUTE_MS);
  await transfers.sweep();
  expect(await transfers.transfer(id)).toMatchObject({ status: 'PROCESSING', waiting_reason: null });
  expect(await listed()).toEqual([0, 0]);

  transfers.clock.advance(15 * MINUTE_MS + 1_000);
  await transfers.sweep();
  expect(await transfers.transfer(id)).toMatchObject({ status: 'PENDING', step: 'paying_out' });
  expect(await listed()).toEqual([1, 1]);
});
