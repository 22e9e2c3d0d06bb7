import { expect, test } from 'vitest';
import { toLines } from './pawapay-statement.ts';

const HEADER = 'Creation Date,MSISDN,Transaction ID,Amount,Currency,Country,MNO,Type';
const ROW = '2026-01-05 12:00:00,255763456700,8917c345-4791-4285-a416-62f24b6982db,23030,TZS,TZA,VODACOM_TZA,Payout';

test('payments are read among other lines and columns', () => {
  const quoted = ROW.replace('23030', '"-23030.0000"').replace('255763', '+255763');
  const fee = ROW.replace('Payout', 'Fee');
  for (const csv of [`${HEADER}\n${ROW}\n`, `\uFEFF${HEADER}\r\n${fee}\r\n${quoted}\r\n\r\n`]) {
    expect(toLines(csv)).toEqual([
      {
        clientPayoutId: '8917c345-4791-4285-a416-62f24b6982db',
        amountMinor: 2_303_000n,
        currency: 'TZS',
        msisdn: '255763456700',
        recordedAt: new Date('2026-01-05T12:00:00Z'),
      },
    ]);
  }
});

test('a statement without payments is empty', () => {
  expect(toLines(`${HEADER}\n`)).toEqual([]);
});

test.each([
  ['nothing', ''],
  ['a page of an error', '<html>503</html>'],
  ['a column that is missing', `${HEADER.replace('Transaction ID', 'Reference')}\n${ROW}\n`],
  ['an amount that is none', `${HEADER}\n${ROW.replace('23030', '23o30')}\n`],
  ['a fraction of a cent', `${HEADER}\n${ROW.replace('23030', '23030.005')}\n`],
  ['a date that is none', `${HEADER}\n${ROW.replace('2026-01-05', 'yesterday')}\n`],
  ['an id that is none', `${HEADER}\n${ROW.replace(/[0-9a-f-]{36}/, 'F-2026-1')}\n`],
  ['a row that was cut short', `${HEADER}\n2026-01-05 12:00:00,255763456700\n`],
])('%s is refused, never read as an empty statement', (_what, csv) => {
  expect(() => toLines(csv)).toThrow();
});
