import type { Booked } from '@vuka/local/testing/booked';
import { expect, test } from 'vitest';
import { checkCallbacks, findDifferent } from './check-callbacks.ts';

const row = {
  payouts: ['p'],
  target_amount: '150000',
  target_currency: 'TZS',
  recipient_phone: '+255763456789',
} as Booked;
const report = { id: 'p', amount: '1500.0000', currency: 'TZS', msisdn: '255763456789' };
const check = (change: Partial<typeof report>, objections: string[] = []) =>
  checkCallbacks(findDifferent([row], [{ ...report, ...change }]), new Set(objections));

test('a callback with the figures of the order, however they are written, needs no exception', () => {
  expect(check({})).toEqual([]);
});

test.each([
  ['amount', { amount: '1' }, '100 TZS to +255763456789'],
  ['currency', { currency: 'KES' }, '150000 KES to +255763456789'],
  ['number', { msisdn: '254700000000' }, '150000 TZS to +254700000000'],
])('a callback with another %s that raised no exception is found, once', (_, change, figures) => {
  const found = [`payout p: reported as ${figures}, and no exception was raised`];
  expect(check(change)).toEqual(found);
  expect(
    checkCallbacks(
      [
        { ...report, ...change },
        { ...report, ...change },
      ],
      new Set(['another']),
    ),
  ).toEqual(found);
});

test('a callback with another amount that raised an exception is as it should be', () => {
  expect(check({ amount: '1' }, ['p'])).toEqual([]);
});

test('a callback about a payout that is not of the books is judged elsewhere', () => {
  expect(check({ id: 'another', amount: '1' })).toEqual([]);
});
