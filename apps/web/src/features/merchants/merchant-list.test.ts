import { expect, test } from 'vitest';
import { merchants } from '#test/admin-fixtures.ts';
import { merchantsCsv, searchMerchants, sortMerchants } from './merchant-list.ts';
import type { Merchant } from './merchants.api.ts';

const names = (list: readonly Merchant[]) => list.map((merchant) => merchant.fullName);
const merchant = (changes: Partial<Merchant>): Merchant => ({ ...(merchants[0] as Merchant), ...changes });

test('a search finds every word, in any field and any case', () => {
  expect(names(searchMerchants(merchants, ' AMINA kenya '))).toEqual(['Amina Wanjiru']);
  expect(names(searchMerchants(merchants, 'juma kenya'))).toEqual([]);
  expect(searchMerchants(merchants, '')).toEqual(merchants);
});

test('sorting goes both ways and leaves the list that it was given', () => {
  const list = ['b', 'C', 'a'].map((fullName) => merchant({ fullName }));
  expect(names(sortMerchants(list, 'fullName', false))).toEqual(['a', 'b', 'C']);
  expect(names(sortMerchants(list, 'fullName', true))).toEqual(['C', 'b', 'a']);
  expect(names(list)).toEqual(['b', 'C', 'a']);
});

test.each(['=1+1', '+254712345678', '-2', '@SUM(A1)', '\t=1'])(
  'the export gives %j to a spreadsheet as text',
  (text) => {
    expect(merchantsCsv([merchant({ fullName: text })])).toContain(`,'${text},`);
  },
);

test('the export quotes commas, quotes and line ends, one line a merchant under a head', () => {
  const csv = merchantsCsv([merchant({ fullName: 'Duka "La" Amina, Nairobi' }), merchant({})]);
  expect(csv).toContain('"Duka ""La"" Amina, Nairobi"');
  expect(csv.match(/\r\n/g)).toHaveLength(3);
});
