import type { Pricing } from '@vuka/contracts/internal/pricing';
import { inverseSellRate, parseMoney, sellRate } from '@vuka/money';
import type { Direction, WalletCurrency } from '@vuka/money/corridors';
import { expect, test, vi } from 'vitest';
import { providerOf } from '#payouts/pawapay/pawapay.domain.ts';
import { feeFor } from './fee.domain.ts';
import { priceTransfer } from './quote.domain.ts';

vi.mock('@vuka/money/corridors', async (original) => {
  const { withUganda } = await import('@vuka/money/testing/uganda');
  return withUganda(await original());
});
vi.mock('@vuka/money/mobile-networks', async (original) => {
  const { withUgandanNetworks } = await import('@vuka/money/testing/uganda');
  return withUgandanNetworks(await original());
});

const pricing: Pricing = {
  version: 1,
  buyRate: '23.5',
  markup: '2',
  kesToTzs: sellRate('23.5', '2'),
  tzsToKes: inverseSellRate('23.5', '2'),
  updatedAt: '2026-01-05T10:00:00Z',
  fees: [],
};
const UGX = 'UGX' as WalletCurrency;

test.each(['KES_TO_UGX', 'UGX_TO_KES'] as string[])('%s is not priced by the rate of another corridor', (direction) => {
  expect(() => priceTransfer(pricing, direction as Direction, parseMoney('1000'))).toThrow(
    expect.objectContaining({ code: 'rate_unavailable' }),
  );
});

test('the other corridors are priced as before', () => {
  expect(priceTransfer(pricing, 'KES_TO_TZS', parseMoney('1000')).targetAmount).toBe(parseMoney('23030'));
});

test('a fee in a currency without decimals is whole', () => {
  const band = { transactionType: 'withdrawal', minAmount: '0.00', maxAmount: null, fixedFee: '100.00' };
  const bands = [{ ...band, currency: UGX, percentageFee: '1.5' }];
  expect(feeFor(bands, { type: 'withdrawal', currency: UGX, amount: parseMoney('1001') })).toBe(parseMoney('115'));
});

test.each([
  ['256772345678', 'MTN_MOMO_UGA'],
  ['256702345678', 'AIRTEL_OAPI_UGA'],
  ['256392345678', 'MTN_MOMO_UGA'],
])('a payout to %s is routed to %s', (msisdn, provider) => {
  expect(providerOf(msisdn)).toBe(provider);
});
