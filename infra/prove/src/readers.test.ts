import { expect, test } from 'vitest';
import type { Order } from './history.ts';
import { contradictionsOf, differencesOf, negativesOf, type Seen } from './readers.ts';

const answer = (status: string) => ({ status: 200, body: { transaction: { status } } });

test('a final state that changes, and an acknowledged transfer that is not found, are reported', () => {
  const seen: Seen = { ended: new Map() };
  expect(contradictionsOf('a', answer('PENDING'), seen)).toEqual([]);
  expect(contradictionsOf('a', answer('PROCESSING'), seen)).toEqual([]);
  // A stuck transfer is listed as PENDING again.
  expect(contradictionsOf('a', answer('PENDING'), seen)).toEqual([]);
  expect(contradictionsOf('a', answer('SETTLED'), seen)).toEqual([]);
  expect(contradictionsOf('a', answer('SETTLED'), seen)).toEqual([]);
  expect(contradictionsOf('a', answer('PROCESSING'), seen)).toEqual(['a: was SETTLED, and later PROCESSING']);
  expect(contradictionsOf('b', { status: 404, body: {} }, seen)).toEqual([
    'b: was acknowledged, and reading it answers 404',
  ]);
});

test('a balance below zero is reported', () => {
  expect(negativesOf({ status: 200, body: { balances: { KES: '0.00', TZS: '10.00' } } })).toEqual([]);
  expect(negativesOf({ status: 200, body: { balances: { KES: '-0.01' } } })).toEqual(['a balance is KES -0.01']);
});

test('a receipt with other figures than the merchant confirmed is reported', () => {
  const order = { acknowledged: ['a'], sourceAmount: 500n, targetAmount: 11_515n, direction: 'KES_TO_TZS', fee: 75n };
  const confirmed = order as unknown as Order;
  const receipt = { source_amount: '5.00', target_amount: '115.15', fee: '0.75' };
  const read = (changes: object) => ({ status: 200, body: { transaction: { ...receipt, ...changes } } });
  expect(differencesOf(confirmed, read({}))).toEqual([]);
  for (const changes of [{ source_amount: '5.01' }, { target_amount: '115.16' }, { fee: '0.00' }]) {
    expect(differencesOf(confirmed, read(changes))).toHaveLength(1);
  }
  expect(differencesOf({ ...confirmed, fee: undefined }, read({ fee: '0.00' }))).toEqual([]);
  expect(differencesOf(confirmed, { status: 404, body: {} })).toEqual([]);
});
