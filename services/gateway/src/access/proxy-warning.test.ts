import { expect, test, vi } from 'vitest';
import { warnWithoutProxy } from './proxy-warning.ts';

test.each([
  ['production', false, 1],
  ['production', 'loopback', 0],
  ['development', false, 0],
] as const)('%s with trust in %s: %i warnings', (NODE_ENV, VUKA_TRUST_PROXY, count) => {
  const warn = vi.fn();
  warnWithoutProxy({ NODE_ENV, VUKA_TRUST_PROXY }, { warn });
  expect(warn).toHaveBeenCalledTimes(count);
});
