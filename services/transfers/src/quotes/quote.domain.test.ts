import type { FeeBand, Pricing } from '@vuka/contracts/internal/pricing';
import { convertToWholeUnits, formatMoney, inverseSellRate, parseMoney, sellRate } from '@vuka/money';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { feeFor } from './fee.domain.ts';
import { priceTransfer } from './quote.domain.ts';

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

test('prices Tanzania to Kenya at the inverse rate less the markup', () => {
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
] as const)('%s of %s converts to %s: rounded half up, never above its worth', (direction, amount, target) => {
  expect(formatMoney(priceTransfer(pricing, direction, parseMoney(amount)).targetAmount)).toBe(target);
});

const band = (minAmount: string, maxAmount: string | null, fixedFee: string, percentageFee: string): FeeBand => ({
  transactionType: 'transfer',
  currency: 'KES',
  minAmount,
  maxAmount,
  fixedFee,
  percentageFee,
});

const directions = fc.constantFrom('KES_TO_TZS' as const, 'TZS_TO_KES' as const);
const buyRates = fc.integer({ min: 1_000_000, max: 999_999_999 }).map((n) => (n / 1e6).toFixed(6));

const amounts = fc.oneof(fc.bigInt({ min: 1n, max: 10_000n }), fc.bigInt({ min: 1n, max: 10n ** 8n }));

/** Whether the received amount is worth no more than the paid one, exactly, at the buy rate. */
function isPaidFor(pricing: Pricing, direction: 'KES_TO_TZS' | 'TZS_TO_KES', paid: bigint, received: bigint): boolean {
  const buyMillionths = parseMoney(pricing.buyRate.slice(0, -4)) * 10_000n + BigInt(pricing.buyRate.slice(-4));
  return direction === 'KES_TO_TZS'
    ? received * 1_000_000n <= paid * buyMillionths
    : received * buyMillionths <= paid * 1_000_000n;
}

test('with a markup, rounding never pays out more than it is worth, however an amount is split', () => {
  const markups = fc.integer({ min: 1, max: 10_000 }).map((n) => (n / 100).toFixed(2));
  void fc.assert(
    fc.property(buyRates, markups, directions, amounts, (buy, markup, direction, amount) => {
      const pricing = pricingAt(buy, markup);
      return isPaidFor(pricing, direction, amount, priceTransfer(pricing, direction, amount).targetAmount);
    }),
  );
});

const feeBands = fc.record({
  currency: fc.constantFrom('KES' as const, 'TZS' as const),
  least: fc.constantFrom('0.00', '10.00'),
  fixed: fc.constantFrom('0.00', '0.05', '1.00'),
  percentage: fc.constantFrom('0.01', '0.5', '1'),
});

test('with a fee in either direction, rounding never pays out more than amount and fee together', () => {
  void fc.assert(
    fc.property(buyRates, feeBands, directions, amounts, (buy, of, direction, amount) => {
      const fees = [{ ...band(of.least, null, of.fixed, of.percentage), currency: of.currency }];
      const pricing = { ...pricingAt(buy, '0'), fees };
      const { fee, targetAmount } = priceTransfer(pricing, direction, amount);
      return isPaidFor(pricing, direction, amount + fee, targetAmount);
    }),
  );
});

test.each([
  ['KES_TO_TZS', '0.03', '0.00'],
  ['TZS_TO_KES', '12', '0.00'],
  ['TZS_TO_KES', '47', '2.00'],
  ['TZS_TO_KES', '100010', '4256.00'],
] as const)('without a markup but with a fee %s of %s converts to %s', (direction, amount, target) => {
  const fees = (['KES', 'TZS'] as const).map((currency) => ({ ...band('0.00', null, '0', '1'), currency }));
  const price = priceTransfer({ ...pricingAt('23.5', '0'), fees }, direction, parseMoney(amount));
  expect(formatMoney(price.targetAmount)).toBe(target);
});

test('an amount worth slightly less than a whole unit does not round up to it', () => {
  expect(priceTransfer(pricingAt('24.9', '0.01'), 'KES_TO_TZS', parseMoney('0.04')).targetAmount).toBe(0n);
});

test('withdrawal bands do not apply to transfers', () => {
  const fees = [{ ...band('0.00', null, '1.00', '1'), transactionType: 'withdrawal' as const }];
  const price = priceTransfer({ ...pricingAt('23.5', '0'), fees }, 'TZS_TO_KES', parseMoney('12'));
  expect(formatMoney(price.targetAmount)).toBe('1.00');
});

test('without a markup or fees the amount is rounded half up', () => {
  void fc.assert(
    fc.property(buyRates, directions, fc.bigInt({ min: 1n, max: 10n ** 8n }), (buy, direction, amount) => {
      const { targetAmount, rate } = priceTransfer(pricingAt(buy, '0'), direction, amount);
      return targetAmount === convertToWholeUnits(amount, rate);
    }),
  );
});

test.each([
  ['999.99', '10.00'],
  ['1000', '15.00'],
  ['50000', '260.00'],
])('the fee of %s is %s: a band includes its minimum and excludes its maximum', (amount, fee) => {
  const bands = [band('0.00', '1000.00', '10.00', '0'), band('1000.00', null, '10.00', '0.5')];
  const transaction = { type: 'transfer', currency: 'KES', amount: parseMoney(amount) } as const;
  expect(formatMoney(feeFor(bands, transaction))).toBe(fee);
  expect(feeFor(bands, { ...transaction, currency: 'TZS' })).toBe(0n);
  expect(feeFor(bands, { ...transaction, type: 'withdrawal' })).toBe(0n);
});
