import { expect, test } from 'vitest';
import { merchants } from '#test/admin-fixtures.ts';
import { merchantsCsv } from './merchant-list.ts';
import type { Merchant } from './merchants.api.ts';

const merchant = (changes: Partial<Merchant>): Merchant => ({ ...(merchants[0] as Merchant), ...changes });

test.each(['=1+1', '+254712345678', '-2', '@SUM(A1)', '\t=1'])(
  'the export gives %j to a spreadsheet as text',
  (text) => {
    expect(merchantsCsv([merchant({ fullName: text })])).toContain(`,'${text},`);
  },
);

test('the export quotes commas, quotes and line ends, with a header and one line per merchant', () => {
  const csv = merchantsCsv([merchant({ fullName: 'Duka "La" Amina, Nairobi' }), merchant({})]);
  expect(csv).toContain('"Duka ""La"" Amina, Nairobi"');
  expect(csv.match(/\r\n/g)).toHaveLength(3);
});
