import { expect, test } from 'vitest';
import { csvClosing, csvHead, csvMovements, csvOpening, toLine } from './statement-csv.ts';

const wallet = {
  currency: 'KES',
  opening: '1000.00',
  moneyIn: '0.00',
  moneyOut: '100.00',
  fees: '2.50',
  closing: '897.50',
  reserved: '0.00',
} as const;

test('a statement begins with a byte order mark and its columns, and ends with balances and sums', () => {
  const period = { from: '2026-01-01', to: '2026-01-31' };
  const movement = {
    transactionId: '0190a5c0-0000-7000-8000-000000000001',
    at: '2026-01-31T20:59:59.999Z',
    kind: 'sent',
    recipientPhone: '+255763456700',
    currency: 'KES',
    moneyIn: '0.00',
    moneyOut: '100.00',
    fee: '2.50',
    balance: '897.50',
  } as const;
  expect(csvHead() + csvOpening(period, [wallet]) + csvMovements([movement]) + csvClosing(period, [wallet])).toBe(
    [
      '\uFEFFDate (UTC+3),Type,Transaction ID,Recipient,Currency,Money in,Money out,Fee,Balance',
      '2026-01-01,Opening balance,,,KES,,,,1000.00',
      "2026-01-31 23:59:59,Sent,0190a5c0-0000-7000-8000-000000000001,'+255763456700,KES,0.00,100.00,2.50,897.50",
      '2026-01-31,Closing balance,,,KES,0.00,100.00,2.50,897.50',
      '',
    ].join('\r\n'),
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['+255', "'+255"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['plain 5-3', 'plain 5-3'],
])('%j is escaped so that no spreadsheet runs it and every CSV reader parses it', (text, cell) => {
  expect(toLine([text])).toBe(`${cell}\r\n`);
});
