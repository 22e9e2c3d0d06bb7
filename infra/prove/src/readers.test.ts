import { expect, test } from 'vitest';
import { contradictionsOf, negativesOf, type Seen } from './readers.ts';

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
