import type { Caller } from '@vuka/access/caller';
import type { PayoutFloat } from '@vuka/contracts/http/reconciliation';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { compareFloats, floatDiffersSeconds } from '#reconciliation/compare-float.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
let admin: Caller;
const started: Transfers[] = [];
beforeEach(async () => {
  transfers = await createTransfers();
  started.push(transfers);
  transfers.fakes.floats.set('TZS', 1_000_000_000n);
  admin = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1', name: 'Neema' };
});
afterAll(() => Promise.all(started.map((each) => each.stop())));

const provider = (balance: bigint) => {
  transfers.script.balances = { kind: 'balances', balances: new Map([['TZS', balance]]) };
};
async function compared(): Promise<PayoutFloat | undefined> {
  await compareFloats(transfers.deps);
  return (await transfers.send('GET', '/internal/reconciliation', { caller: admin })).body.floats[0];
}
const accepted = async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  await transfers.execute(transaction.id);
  return { id: transaction.id, payout: await transfers.payoutOf(transaction.id) };
};

test('the float agrees before, during and after a payout', async () => {
  provider(1_000_000_000n);
  expect(await compared()).toMatchObject({ booked: '10000000.00', underWay: '0.00', difference: '0.00' });
  const { id, payout } = await accepted();
  provider(1_000_000_000n - payout.amount);
  expect(await compared()).toMatchObject({ booked: '10000000.00', difference: '0.00', differsSince: null });
  await transfers.callback(await transfers.paidReport(payout.id));
  await transfers.ended(id);
  const after = await compared();
  expect(after).toMatchObject({ underWay: '0.00', difference: '0.00', booked: after?.providerBalance });
});

test('a fee that is not in the books is a difference since it was first seen', async () => {
  provider(999_999_850n);
  const first = await compared();
  expect(first).toMatchObject({ difference: '-1.50', differsSince: expect.any(String) });
  expect(await compared()).toMatchObject({ difference: '-1.50', differsSince: first?.differsSince });
  expect(await floatDiffersSeconds(transfers.db)).toBeGreaterThan(0);
  transfers.fakes.floats.set('TZS', 999_999_850n);
  expect(await compared()).toMatchObject({ difference: '0.00', differsSince: null });
  expect(await floatDiffersSeconds(transfers.db)).toBe(0);
});

test('a payout that failed in our books and was paid is a difference', async () => {
  const { id, payout } = await accepted();
  await transfers.failedCallback(await transfers.paidReport(payout.id));
  await transfers.ended(id);
  provider(1_000_000_000n - payout.amount);
  const float = await compared();
  expect(float?.difference).toBe(`-${(Number(payout.amount) / 100).toFixed(2)}`);
});

test('without the provider the former comparison stays', async () => {
  provider(1_000_000_000n);
  const former = await compared();
  transfers.script.balances = { kind: 'unavailable', reason: 'HTTP 503' };
  expect(await compared()).toEqual(former);
});

test('without the wallet nothing is compared', async () => {
  provider(1n);
  transfers.fakes.switches.walletUnavailable = true;
  await expect(compareFloats(transfers.deps)).rejects.toMatchObject({ code: 'unavailable' });
  transfers.fakes.switches.walletUnavailable = false;
  expect((await transfers.send('GET', '/internal/reconciliation', { caller: admin })).body.floats).toEqual([]);
});
