import { expect, test } from 'vitest';
import { differenceOf } from './float.domain.ts';

const figures = { bookedBefore: 1000n, bookedAfter: 1000n, underWay: 0n, providerBalance: 1000n };

test.each([
  ['agrees when nothing is under way and the balances are equal', {}, 0n],
  [
    'agrees while the provider has taken a payout that is not booked yet',
    { underWay: 300n, providerBalance: 700n },
    0n,
  ],
  ['agrees while the provider has not taken a payout yet', { underWay: 300n }, 0n],
  [
    'agrees when a payout is booked between the two readings of the books',
    { bookedAfter: 700n, providerBalance: 700n },
    0n,
  ],
  ['agrees when a top-up is booked between the two readings', { bookedAfter: 1500n, providerBalance: 1500n }, 0n],
  ['finds money that the provider took without a payout', { providerBalance: 980n }, -20n],
  ['finds a fee even while a payout is under way', { underWay: 300n, providerBalance: 680n }, -20n],
  ['finds a top-up that was not entered', { providerBalance: 1500n }, 500n],
  ['finds an unentered top-up of an empty float', { bookedBefore: 0n, bookedAfter: 0n, providerBalance: 5n }, 5n],
])('the float %s', (_, change, difference) => {
  expect(differenceOf({ ...figures, ...change })).toBe(difference);
});
