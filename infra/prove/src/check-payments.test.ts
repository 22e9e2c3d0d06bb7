import type { Booked } from '@vuka/local/testing/booked';
import { expect, test } from 'vitest';
import { checkPayments } from './check-payments.ts';
import type { ProviderRecord } from './provider-record.ts';

const PHONE = '255763000000';

const settled = (id: string): Booked => ({
  id,
  user_id: 'u',
  client_transaction_id: `CLIENT-${id}`,
  created_at: new Date('2026-01-05T09:00:00Z'),
  status: 'SETTLED',
  error_code: null,
  source_amount: '10000',
  fee: '0',
  target_amount: '230300',
  target_currency: 'TZS',
  recipient_phone: `+${PHONE}`,
  payouts: [`payout-${id}`],
  payments: 0,
  endings: 1,
});
const figures = { msisdn: PHONE, amount: '2303', currency: 'TZS' };
const asked = (transferId: string, change = {}) => ({
  id: `payout-${transferId}`,
  transferId,
  ...figures,
  atMs: 0,
  isRefused: false,
  ...change,
});
const paid = (transferId: string, change = {}) => ({ id: `payout-${transferId}`, ...figures, paidAt: '', ...change });
const check = (rows: Booked[], record: Pick<ProviderRecord, 'asked' | 'payments'>) => checkPayments(rows, record);

test('a transfer that was requested twice under its id and paid once is as it should be', () => {
  const record = { asked: [asked('a'), asked('a', { amount: '2303.00' })], payments: [paid('a')] };
  expect(check([settled('a')], record)).toEqual({ lost: [], doubled: [], violations: [] });
});

test('a second payment is found under the same id, and by amount and number under any id', () => {
  const twice = { asked: [asked('a')], payments: [paid('a'), paid('a')] };
  expect(check([settled('a')], twice).doubled).toContain('a: paid 2 times');
  const elsewhere = { asked: [asked('a')], payments: [paid('a'), paid('b')] };
  const { doubled, violations } = check([settled('a')], elsewhere);
  expect(doubled).toEqual([`230300 TZS to +${PHONE}: paid 2 times for 1 settled transfers`]);
  expect(violations).toEqual(['payout payout-b: paid, but never requested']);
});

test('a settled transfer without a payment is found, and a failed one with a payment', () => {
  expect(check([settled('a')], { asked: [asked('a')], payments: [] }).lost).toContain('a: settled, but not paid');
  const failed = { ...settled('a'), status: 'FAILED' };
  expect(check([failed], { asked: [asked('a')], payments: [paid('a')] }).doubled).toContain('a: paid and returned');
});

test('a repeat with another amount, or under another id, is found although the provider ignored it', () => {
  const changed = { asked: [asked('a'), asked('a', { amount: '2304' })], payments: [paid('a')] };
  expect(check([settled('a')], changed).violations).toEqual([`a: 2304 TZS to ${PHONE}, not as ordered, requested`]);
  const renamed = { asked: [asked('a'), asked('a', { id: 'payout-x' })], payments: [paid('a')] };
  expect(check([settled('a')], renamed).violations).toEqual(['a: requested of the provider under 2 ids']);
});
