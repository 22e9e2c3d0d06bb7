import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

const MAY_WAIT = 2;
const REFUSAL = { ok: false, code: 'unavailable', retryAfterSeconds: expect.any(Number), closedForMs: 250 };

let transfers: Transfers;

beforeEach(async () => {
  transfers = await createTransfers({ VUKA_BACKLOG_ALWAYS: MAY_WAIT });
});

afterEach(() => transfers.stop());

/** Fills the backlog with orders that no worker executes. */
async function fillBacklog() {
  const amina = transfers.merchant();
  const orders = Array.from({ length: MAY_WAIT }, (_, index) => ({ clientTransactionId: `CLIENT-waiting-${index}` }));
  const results = [];
  for (const order of orders) results.push(await transfers.order(amina, order));
  expect(results.map((result) => result.created)).toEqual(orders.map(() => true));
  return { amina, ids: results.map((result) => result.transaction.id as string) };
}

test('an order that would wait too long is refused and nothing of it is stored', async () => {
  const { amina } = await fillBacklog();
  expect(await transfers.order(amina, { clientTransactionId: 'CLIENT-one-more' })).toMatchObject(REFUSAL);
  const rows = await transfers.db.selectFrom('transactions').select('client_transaction_id').execute();
  expect(rows.map((row) => row.client_transaction_id)).not.toContain('CLIENT-one-more');
  expect(await transfers.messagesInOutbox()).toHaveLength(2 * MAY_WAIT);
  expect(transfers.fakes.applied).toHaveLength(MAY_WAIT);
});

test('a repeated accepted order gets its first answer under overload', async () => {
  const { amina, ids } = await fillBacklog();
  const again = await transfers.order(amina, { clientTransactionId: 'CLIENT-waiting-0' });
  expect(again).toMatchObject({ ok: true, created: false, transaction: { id: ids[0] } });
  const changed = { clientTransactionId: 'CLIENT-waiting-0', recipientPhone: '+255763456701' };
  expect(await transfers.order(amina, changed)).toMatchObject({ ok: false, code: 'idempotency_conflict' });
});

test('a transfer with an open payout leaves the backlog, and a refused order can be repeated under its id', async () => {
  const { amina, ids } = await fillBacklog();
  const order = { clientTransactionId: 'CLIENT-one-more' };
  expect(await transfers.order(amina, order)).toMatchObject(REFUSAL);
  for (const id of ids) expect((await transfers.execute(id))?.outcome).toBe('open');
  transfers.clock.advance(1_000);
  expect(await transfers.order(amina, order)).toMatchObject({ ok: true, created: true });
});

test('a transfer whose booking the ledger refuses is excluded from the backlog and settles once allowed', async () => {
  const { amina, ids } = await fillBacklog();
  const receiver = transfers.merchant(0n);
  transfers.fakes.merchants.set('+255763456700', { userId: receiver.userId, name: 'Juma' });
  transfers.fakes.frozen.add(receiver.userId);
  for (const id of ids) {
    expect((await transfers.execute(id))?.outcome).toBe('open');
    expect(await transfers.transfer(id)).toMatchObject({ step: 'capturing', status: 'PENDING' });
    expect(await transfers.lifecycle(id)).toEqual(['PENDING', 'PROCESSING', 'PENDING']);
  }
  const { body } = await transfers.send('GET', '/internal/stuck-transfers', {
    caller: { ...amina, isAdmin: true, role: 'owner' as const },
  });
  expect(body.stuckTransactions.map((item: { transaction: { id: string } }) => item.transaction.id).sort()).toEqual(
    ids.sort(),
  );
  transfers.clock.advance(1_000);
  expect(await transfers.order(amina, { clientTransactionId: 'CLIENT-next' })).toMatchObject({ ok: true });
  transfers.fakes.frozen.clear();
  transfers.clock.advance(60_000);
  await transfers.sweep();
  for (const id of ids) expect((await transfers.transfer(id)).status).toBe('SETTLED');
});

test('a withdrawal is refused like a transfer, with the details that the gateway needs', async () => {
  const { amina } = await fillBacklog();
  const order = {
    linkedAccountId: crypto.randomUUID(),
    amount: '100',
    currency: 'KES',
    clientTransactionId: 'CLIENT-withdraw-1',
  };
  const { status, body } = await transfers.send('POST', '/internal/withdrawals', { payload: order, caller: amina });
  expect([status, body.code]).toEqual([503, 'unavailable']);
});
