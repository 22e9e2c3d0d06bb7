import { expect, test } from 'vitest';
import { readSearch } from './search.domain.ts';

const id = '0190a5c0-1234-7abc-8def-0123456789ab';

test.each([
  [id, { ids: { first: id, last: id } }],
  [id.toUpperCase(), { ids: { first: id, last: id } }],
  [
    '0190A5C0-12',
    { ids: { first: '0190a5c0-1200-0000-0000-000000000000', last: '0190a5c0-12ff-ffff-ffff-ffffffffffff' } },
  ],
  ['+255 763 456 700', { phoneDigits: '255763456700' }],
  ['(0763) 456-700', { phoneDigits: '763456700' }],
  ['6700', { phoneDigits: '6700', amounts: { leastMinor: 669_950n, mostMinor: 670_049n } }],
  ['25,000', { amounts: { leastMinor: 2_499_950n, mostMinor: 2_500_049n } }],
  ['1,250.50 KES', { amounts: { leastMinor: 125_050n, mostMinor: 125_050n } }],
  ['7.5', { amounts: { leastMinor: 750n, mostMinor: 750n } }],
])('%s is searched for in every possible meaning', (typed, search) => {
  expect(readSearch(typed)).toEqual(search);
});

test('digits can mean an id, a phone number or an amount', () => {
  expect(Object.keys(readSearch('76345670') ?? {}).sort()).toEqual(['amounts', 'ids', 'phoneDigits']);
});

test.each(['', '  ', 'amina', "'; drop table", '%', '_', '1,0', '-5', '1.234', 'deadbee', `${id}0`])(
  '%j is not a search',
  (typed) => {
    expect(readSearch(typed)).toBeUndefined();
  },
);
