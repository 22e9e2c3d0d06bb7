import { expect, test } from 'vitest';
import { describeBand, findOverlap } from './fee-band.domain.ts';

const band = (minAmount: string, maxAmount: string | null, differs = {}) => ({
  transactionType: 'transfer' as const,
  currency: 'KES' as const,
  minAmount,
  maxAmount,
  ...differs,
});
const known = [band('100.00', '1000.00'), band('5000.00', null)];

test.each([
  ['0', '100', false],
  ['0', '100.01', true],
  ['1000', '5000', false],
  ['999.99', '1000', true],
  ['200', '300', true],
  ['0', null, true],
  ['4999.99', '5000.01', true],
  ['9000', null, true],
  ['1000', null, true],
])('a band from %s to %s overlaps: %s', (minAmount, maxAmount, overlaps) => {
  expect(findOverlap(known, band(minAmount, maxAmount)) !== undefined).toBe(overlaps);
});

test('bands of another currency or type do not overlap', () => {
  expect(findOverlap(known, band('200', '300', { currency: 'TZS' }))).toBeUndefined();
  expect(findOverlap(known, band('200', '300', { transactionType: 'withdrawal' }))).toBeUndefined();
});

test('a band is named by its amounts', () => {
  expect(describeBand(band('0', '1000'))).toBe('from 0.00 to 1000.00');
  expect(describeBand(band('5000', null))).toBe('from 5000.00 upwards');
});
