import { expect, test } from 'vitest';
import { refusedThoughFunded, type Step } from './check-refusals.ts';

const asked = [{ id: 't', clientTransactionId: 'CLIENT-t', account: 'w', total: 100n }];
const orders = [{ clientTransactionId: 'CLIENT-t', refused: ['insufficient_funds'] }];
const step = (journal: bigint, change?: bigint): Step => ({ journal, account: 'w', change, transferId: 't' });

test('a refusal is right if what was held left too little at that time, though it was released later', () => {
  const steps = [step(1n, 150n), step(2n, -60n), step(4n, 60n), step(3n)];
  expect(refusedThoughFunded(orders, asked, steps)).toEqual([]);
});

test('a refusal of what the wallet could spend is found', () => {
  const steps = [step(1n, 150n), step(2n, -60n), step(3n, 60n), step(4n)];
  expect(refusedThoughFunded(orders, asked, steps)).toEqual([
    't: refused for lack of 100, when the wallet could spend 150',
  ]);
});

test('a refusal that the ledger knows nothing of is found', () => {
  expect(refusedThoughFunded(orders, asked, [step(1n, 50n)])).toEqual([
    'CLIENT-t: insufficient_funds, but the ledger did not refuse its hold',
  ]);
});
