import { expect, test } from 'vitest';
import { readBalances } from './pawapay-balances.ts';

const answer = (json: unknown, status = 200) => ({ status, json, text: '' });
const wallet = (currency: string, balance: unknown) => ({ country: 'TZA', balance, currency, provider: '' });

test('reads each currency in minor units, and adds up the wallets of one', () => {
  const json = { balances: [wallet('TZS', '1500.5'), wallet('KES', '20'), wallet('TZS', '0.2599')] };
  expect(readBalances(answer(json))).toEqual({
    kind: 'balances',
    balances: new Map([
      ['TZS', 150_075n],
      ['KES', 2_000n],
    ]),
  });
});

test.each([
  ['another status', answer({ balances: [] }, 503)],
  ['a balance that is no number', answer({ balances: [wallet('TZS', 'NaN')] })],
  ['a body of another shape', answer([])],
  ['no JSON', answer(undefined)],
])('%s is no answer, never an empty float', (_, given) => {
  expect(readBalances(given)).toMatchObject({ kind: 'unavailable' });
});
