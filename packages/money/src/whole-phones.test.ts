import { expect, test } from 'vitest';
import { wholePhones } from './whole-phones.ts';

const ONE = ['+255763456789'];
const BOTH = ['+254763456789', '+255763456789'];

test.each([
  ['+255763456789', ONE],
  ['255763456789', ONE],
  ['+255 763 456 789', ONE],
  ['00255 763-456-789', ONE],
  ['+255 (0)763 456 789', ONE],
  ['0763456789', BOTH],
  ['0763 456 789', BOTH],
  ['763456789', BOTH],
])('%s is a whole number', (typed, phones) => {
  expect(wholePhones(typed).sort()).toEqual(phones);
});

test.each(['', '0763', '+25576345678', '+2557634567890', '+256763456789', '0063456789', 'AMIN4821WKES', '+'])(
  '%j is no whole number',
  (typed) => {
    expect(wholePhones(typed)).toEqual([]);
  },
);
