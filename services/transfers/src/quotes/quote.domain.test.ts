import type { FeeBand, Pricing } from '@vuka/contracts/internal/pricing';
import { convertToWholeUnits, formatMoney, inverseSellRate, parseMoney, sellRate } from '@vuka/money';
import * as fc from 'fast-check';
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

const pricingAt = (buyRate: string, markup: string): Pricing => ({
  ...pricing,
  buyRate,
  markup,
  kesToTzs: sellRate(buyRate, markup),
  tzsToKes: inverseSellRate(buyRate, markup),
});

test.each([
  ['TZS_TO_KES', '12', '0.00'],
  ['TZS_TO_KES', '300', '12.00'],
  ['KES_TO_TZS', '0.03', '0.00'],
  ['TZS_TO_KES', '600', '25.00'],
  ['KES_TO_TZS', '50', '1152.00'],
] as const)(
  '%s of %s brings %s: rounded half up, and never up to more than it is worth',
  (direction, amount, target) => {
    expect(formatMoney(priceTransfer(pricing, direction, parseMoney(amount)).targetAmount)).toBe(target);
  },
);

const directions = fc.constantFrom('KES_TO_TZS' as const, 'TZS_TO_KES' as const);
const buyRates = fc.integer({ min: 1_000_000, max: 999_999_999 }).map((n) => (n / 1e6).toFixed(6));

test('with a markup nobody gains by rounding, however an amount is split', () => {
  const markups = fc.integer({ min: 1, max: 10_000 }).map((n) => (n / 100).toFixed(2));
  void fc.assert(
    fc.property(
      buyRates,
      markups,
      directions,
      fc.bigInt({ min: 1n, max: 10n ** 8n }),
      (buy, markup, direction, amount) => {
        const { targetAmount, midAmount } = priceTransfer(pricingAt(buy, markup), direction, amount);
        return targetAmount <= midAmount;
      },
    ),
  );
});

test('without a markup the amount is rounded half up: nobody gains but by chance', () => {
  void fc.assert(
    fc.property(buyRates, directions, fc.bigInt({ min: 1n, max: 10n ** 8n }), (buy, direction, amount) => {
      const { targetAmount, rate } = priceTransfer(pricingAt(buy, '0'), direction, amount);
      return targetAmount === convertToWholeUnits(amount, rate);
    }),
  );
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
