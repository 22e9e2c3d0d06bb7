import type { FeeBand, Pricing } from '@vuka/contracts/internal/pricing';
import { formatMoney, inverseSellRate, parseMoney, sellRate } from '@vuka/money';
import { expect, test } from 'vitest';
import { feeFor, priceTransfer } from './quote.domain.ts';

const pricing: Pricing = {
  version: 1,
  buyRate: '23.5',
  markup: '2',
  kesToTzs: sellRate('23.5', '2'),
  tzsToKes: inverseSellRate('23.5', '2'),
  updatedAt: '2026-01-05T10:00:00Z',
  fees: [],
};

test('prices Kenya to Tanzania at the sell rate, with the margin against the buy rate', () => {
  const price = priceTransfer(pricing, 'KES_TO_TZS', parseMoney('1000'));
  expect(formatMoney(price.targetAmount)).toBe('23030.00');
  expect(formatMoney(price.midAmount)).toBe('23500.00');
  expect(price).toMatchObject({ sourceCurrency: 'KES', targetCurrency: 'TZS', fee: 0n, rate: '23.03' });
});

test('prices Tanzania to Kenya at the inverse, lessened by the markup', () => {
  const price = priceTransfer(pricing, 'TZS_TO_KES', parseMoney('100000'));
  expect(formatMoney(price.targetAmount)).toBe('4170.00');
  expect(formatMoney(price.midAmount)).toBe('4255.32');
});

const band = (minAmount: string, maxAmount: string | null, fixedFee: string, percentageFee: string): FeeBand => ({
  transactionType: 'transfer',
  currency: 'KES',
  minAmount,
  maxAmount,
  fixedFee,
  percentageFee,
});

test.each([
  ['999.99', '10.00'],
  ['1000', '15.00'],
  ['50000', '260.00'],
])('the fee of %s is %s: a band starts with its least amount and ends before its greatest', (amount, fee) => {
  const bands = [band('0.00', '1000.00', '10.00', '0'), band('1000.00', null, '10.00', '0.5')];
  const transaction = { type: 'transfer', currency: 'KES', amount: parseMoney(amount) } as const;
  expect(formatMoney(feeFor(bands, transaction))).toBe(fee);
  expect(feeFor(bands, { ...transaction, currency: 'TZS' })).toBe(0n);
  expect(feeFor(bands, { ...transaction, type: 'withdrawal' })).toBe(0n);
});
