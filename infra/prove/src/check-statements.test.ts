import { expect, test } from 'vitest';
import { contradictionsOf } from './check-statements.ts';
import type { Moved } from './moved.ts';

const csv = (...lines: string[]) => ['\uFEFFhead', ...lines, ''].join('\r\n');
const OPENING = '2026-01-01,Opening balance,,,KES,,,,0.00';
const DEPOSIT = '2026-01-02 10:00:00,Deposit,d,,KES,100.00,0.00,0.00,100.00';
const SENT = "2026-01-02 11:00:00,Sent,t,'+255763456700,KES,0.00,30.00,0.50,69.50";
const closing = (fees: string, balance: string) => `2026-01-03,Closing balance,,,KES,100.00,30.00,${fees},${balance}`;
const moved: Moved[] = [
  { id: undefined, currency: 'KES', moneyIn: 10_000n, moneyOut: 0n, fee: 0n },
  { id: 't', currency: 'KES', moneyIn: 0n, moneyOut: 3_000n, fee: 50n },
];

test('a statement whose lines are what happened, and lead from the opening to the closing balance, is right', () => {
  expect(contradictionsOf(csv(OPENING, DEPOSIT, SENT, closing('0.50', '69.50')), moved)).toEqual([]);
});

test('a fee that is not shown is found by the balance after it and by the order', () => {
  const hidden = SENT.replace('0.50,69.50', '0.00,69.50');
  expect(contradictionsOf(csv(OPENING, DEPOSIT, hidden, closing('0.00', '69.50')), moved)).toEqual([
    't: the balance is 69.50, not 70.00',
    'it closes with 69.50, not 70.00',
    'it shows t KES 0.00 30.00 0.00, which did not happen',
    'it does not show t KES 0.00 30.00 0.50',
  ]);
});

test('a line too many, a line too few and a wrong sum are found', () => {
  expect(contradictionsOf(csv(OPENING, DEPOSIT, SENT, closing('0.50', '69.50')), moved.slice(0, 1))).toEqual([
    'it shows t KES 0.00 30.00 0.50, which did not happen',
  ]);
  const twice = [...moved, { id: 'u', currency: 'KES', moneyIn: 1n, moneyOut: 0n, fee: 0n }];
  expect(contradictionsOf(csv(OPENING, DEPOSIT, SENT, closing('0.50', '69.50')), twice)).toEqual([
    'it does not show u KES 0.01 0.00 0.00',
  ]);
  expect(contradictionsOf(csv(OPENING, DEPOSIT, SENT, closing('0.00', '69.50')), moved)).toEqual([
    'fee of KES adds up to 0.50, not 0.00',
  ]);
});
