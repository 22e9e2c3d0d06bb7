import { expect, test } from 'vitest';
import { needsApproval } from './credit-limit.domain.ts';

test.each([
  ['100.00', '0', '100', false],
  ['100.01', '0', '100', true],
  ['40.00', '60.00', '100', false],
  ['40.00', '60.01', '100', true],
  ['1.00', '0', '0', true],
  ['999999999999.99', '999999999999.99', '999999999999', true],
])('%s after %s, with a limit of %s, needs approval: %s', (amount, moved, limit, isNeeded) => {
  expect(needsApproval(amount, { moved, limit })).toBe(isNeeded);
});
