import { expect, test } from 'vitest';
import { maskName } from './mask-name.ts';

test.each([
  ['Zawadi Mwangi', 'Zawadi M.'],
  ['  Amina  wa Njeri otieno ', 'Amina O.'],
  ['Zawadi', 'Zaw…'],
  ['', '…'],
])('%j is shown as %j', (fullName, masked) => {
  expect(maskName(fullName)).toBe(masked);
});
