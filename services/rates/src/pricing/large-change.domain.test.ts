import { describe, expect, test } from 'vitest';
import { isLargeChange } from './large-change.domain.ts';

const rate = (buyRate: string, markup = '0') => ({ buyRate, markup });

describe('a change of the rate takes two administrators', () => {
  test.each([
    ['the buy rate rises by half exactly', rate('24'), rate('36'), false],
    ['the buy rate rises by more than half', rate('24'), rate('36.000001'), true],
    ['TZS to KES rises by half exactly, at two thirds of the buy rate', rate('24'), rate('16'), false],
    ['TZS to KES rises by more than half', rate('24'), rate('15.999999'), true],
    ['the buy rate falls by 45 %, which is 82 % more from TZS to KES', rate('24'), rate('13.2'), true],
    ['the buy rate falls by half, which is twice as much from TZS to KES', rate('24'), rate('12'), true],
    ['the markup halves what a merchant gets', rate('24'), rate('24', '50'), false],
    ['the markup leaves less than half', rate('24'), rate('24', '50.01'), true],
    ['the markup leaves nothing', rate('24'), rate('24', '100'), true],
    ['the markup no longer takes everything', rate('24', '100'), rate('24', '99'), true],
    ['a markup that takes everything stays', rate('24', '100'), rate('30', '100'), false],
    ['the markup hides a higher buy rate from one direction', rate('24'), rate('40', '40'), true],
    ['nothing changes', rate('24', '2'), rate('24', '2'), false],
  ])('%s', (_, from, to, isLarge) => {
    expect(isLargeChange(to, [from])).toBe(isLarge);
  });

  test('when it is small against one earlier rate and large against another', () => {
    expect(isLargeChange(rate('36'), [rate('30'), rate('23')])).toBe(true);
    expect(isLargeChange(rate('36'), [rate('30'), rate('24')])).toBe(false);
  });

  test('never without an earlier rate', () => {
    expect(isLargeChange(rate('999999.999999'), [])).toBe(false);
  });
});
