import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLongestWaits } from '#withdrawals/waiting-withdrawals.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
let admin: Caller;
beforeAll(async () => {
  transfers = await createTransfers();
  admin = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1' };
});
afterAll(() => transfers.stop());

const DAY_S = 86_400;
const phone = {
  accountType: 'mobile_money',
  accountName: 'My M-PESA',
  phoneNumber: '+254712345678',
  carrier: 'M-PESA',
};
const bank = {
  accountType: 'bank',
  accountName: 'Amina Otieno',
  currency: 'KES',
  bankName: 'Equity Bank',
  accountNumber: '0123456789',
};

async function withdrawn(payload: object, amount: string): Promise<string> {
  const caller = { ...transfers.merchant(900_000_00n), name: 'Amina Otieno' };
  const { body: account } = await transfers.send('POST', '/internal/linked-accounts', { payload, caller });
  const order = { amount, currency: 'KES', linkedAccountId: account.id, clientTransactionId: `W-${randomUUID()}` };
  await transfers.settleClock();
  const { body } = await transfers.send('POST', '/internal/withdrawals', { payload: order, caller });
  await transfers.execute(body.withdrawal.id);
  return body.withdrawal.id;
}
async function decide(id: string, decision: object): Promise<void> {
  await transfers.settleClock();
  const payload = { id, decision };
  expect((await transfers.send('POST', '/internal/withdrawals/decide', { payload, caller: admin })).status).toBe(200);
}
async function afterDays(days: number): Promise<void> {
  transfers.clock.advance(days * DAY_S * 1_000);
  await transfers.settleClock();
}
/** In days, at each step. */
const waits = async () =>
  Object.fromEntries((await readLongestWaits(transfers.db)).map(({ labels, value }) => [labels.step, value / DAY_S]));

test('the longest waits for an approval and for a payment by hand are known, also by a process whose clock is ahead', async () => {
  expect(await waits()).toEqual({ awaiting_approval: 0, paying_by_hand: 0 });
  // Of no interest: it needs no administrator.
  await withdrawn(phone, '5000');
  const toBank = await withdrawn(bank, '5000');
  await afterDays(1);
  const toPhone = await withdrawn(phone, '150000');
  await afterDays(1);
  expect(await waits()).toEqual({ awaiting_approval: 2, paying_by_hand: 0 });
  await decide(toBank, { kind: 'approve' });
  await afterDays(4);
  expect(await waits()).toEqual({ awaiting_approval: 5, paying_by_hand: 4 });
  // Taking it is not its outcome.
  const taken = await transfers.send('POST', '/internal/withdrawals/take', { payload: { id: toBank }, caller: admin });
  expect(taken.status).toBe(200);
  transfers.skew.ms = DAY_S * 1_000;
  await afterDays(2);
  expect(await waits()).toEqual({ awaiting_approval: 6, paying_by_hand: 5 });
  transfers.skew.ms = 0;
  await afterDays(0);
  await decide(toBank, { kind: 'fail', reason: 'the bank sent it back', comparedWithStatement: true });
  await decide(toPhone, { kind: 'refuse', reason: 'not known to us' });
  expect(await waits()).toEqual({ awaiting_approval: 0, paying_by_hand: 0 });
});

test('without its database the waits are not known, instead of none', async () => {
  const other = await createTransfers();
  await other.pool.query('alter table transactions rename to elsewhere');
  const values = (await readLongestWaits(other.db)).map(({ value }) => value);
  expect(values).toEqual([Number.NaN, Number.NaN]);
  await other.stop();
});
