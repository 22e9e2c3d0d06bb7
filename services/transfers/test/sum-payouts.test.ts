import { afterAll, beforeAll, expect, test } from 'vitest';
import { sumPayouts } from '#payouts/payout.store.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

async function payOut(ends?: 'completed' | 'failed'): Promise<void> {
  const order = { sourceAmount: '1000', targetAmount: '23030' };
  const { id } = (await transfers.order(transfers.merchant(), order)).transaction;
  await transfers.execute(id);
  const payout = await transfers.payoutOf(id);
  if (!ends) return;
  const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' as const };
  const paid = await transfers.paidReport(payout.id);
  await (ends === 'failed' ? transfers.failedCallback({ ...paid, failure }) : transfers.callback(paid));
  await transfers.ended(id);
}

test('payouts are summed by outcome, without those of another provider', async () => {
  const { id: provider } = transfers.deps.provider;
  expect(await sumPayouts(transfers.db, provider)).toEqual([]);
  await payOut('completed');
  await payOut('completed');
  await payOut('failed');
  await payOut();
  expect(await sumPayouts(transfers.db, provider)).toEqual([
    {
      currency: 'TZS',
      paid: { count: 2, amount: '46060.00' },
      failed: { count: 1, amount: '23030.00' },
      inFlight: { count: 1, amount: '23030.00' },
    },
  ]);
  expect(await sumPayouts(transfers.db, 'another')).toEqual([]);
});
