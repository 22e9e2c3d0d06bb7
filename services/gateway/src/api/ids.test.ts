import { expect, test } from 'vitest';
import { knownForm } from './ids.ts';

test('an id has one spelling inside, however an address writes it', () => {
  const id = '0190a000-0000-7000-8000-00000000abcd';
  expect([knownForm(id.toUpperCase(), 'merchant_not_found'), knownForm(id, 'merchant_not_found')]).toEqual([id, id]);
});

test('an impossible id is not found', () => {
  expect(() => knownForm('MER20260001', 'merchant_not_found')).toThrow(expect.objectContaining({ code: 'not_found' }));
});
