import { expect, test } from 'vitest';
import { toE164 } from './phone.domain.ts';

test.each([
  ['0712345678', 'Kenya', '+254712345678'],
  ['+254712345678', 'Tanzania', '+254712345678'],
  ['255712345678', 'kenya', '+255712345678'],
  ['0712345678', ' Tanzania ', '+255712345678'],
  ['0712345678', 'Uganda', null],
  ['+447911123456', 'Kenya', null],
  ['2540712345678', 'Kenya', null],
])('%s in %s is %s', (phone, country, expected) => {
  expect(toE164(phone, country)).toBe(expected);
});
