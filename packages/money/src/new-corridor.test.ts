import { expect, test, vi } from 'vitest';
import type { Country, Direction, WalletCurrency } from './corridors.ts';
import { fitsCurrency, smallestAmount, WALLET_CURRENCIES } from './currencies.ts';
import { corridorOf, countryOf, DIRECTIONS, directionFrom, directionTo, RATED, reverseOf } from './directions.ts';
import { convertToMinor, formatMoney, parseMoney, percentageOf } from './money.ts';
import { carriersOf, networkOf } from './networks.ts';
import { currencyOfPhone, PHONE, recipientPrefix, splitPhone } from './phones.ts';

vi.mock('./corridors.ts', async (original) => {
  const { withUganda } = await import('./testing/uganda.ts');
  return withUganda(await original());
});
vi.mock('./mobile-networks.ts', async (original) => {
  const { withUgandanNetworks } = await import('./testing/uganda.ts');
  return withUgandanNetworks(await original());
});

const UGX = 'UGX' as WalletCurrency;
const THERE = 'KES_TO_UGX' as Direction;
const BACK = 'UGX_TO_KES' as Direction;

test('a currency without decimals has whole amounts, stored at the scale of all currencies', () => {
  expect(WALLET_CURRENCIES).toContain(UGX);
  expect(fitsCurrency('1250', UGX)).toBe(true);
  expect(fitsCurrency('1250.00', UGX)).toBe(true);
  expect(fitsCurrency('12.50', UGX)).toBe(false);
  expect(fitsCurrency('12.01', UGX)).toBe(false);
  expect(parseMoney('1250')).toBe(125_000n);
  expect(formatMoney(125_000n)).toBe('1250.00');
  expect(smallestAmount(UGX)).toBe(100n);
  expect(formatMoney(percentageOf(parseMoney('150'), '1', smallestAmount(UGX)))).toBe('2.00');
  expect(formatMoney(convertToMinor(parseMoney('10'), '28.449', smallestAmount(UGX)))).toBe('284.00');
});

test('its corridors are found by currency and by country, after the others', () => {
  expect(DIRECTIONS).toEqual(['KES_TO_TZS', 'TZS_TO_KES', THERE, BACK]);
  expect(corridorOf(THERE)).toEqual({ source: 'KES', target: UGX });
  expect(reverseOf(THERE)).toBe(BACK);
  expect(directionFrom('KES')).toBe('KES_TO_TZS');
  expect(directionFrom(UGX)).toBe(BACK);
  expect(directionTo('UG' as Country, 'KES')).toBe(THERE);
  expect(directionTo('UG' as Country, 'TZS')).toBe(THERE);
  expect(directionTo('KE', UGX)).toBe(BACK);
  expect(countryOf(UGX)).toBe('UG');
  expect(RATED.direction).toBe('KES_TO_TZS');
});

test('its numbers are read, and guessed to be of its networks', () => {
  expect(PHONE.test('+256772345678')).toBe(true);
  expect(splitPhone('+256772345678')).toEqual({ country: 'UG', local: '772345678' });
  expect(currencyOfPhone('+256772345678')).toBe(UGX);
  expect(recipientPrefix(THERE)).toBe('+256');
  expect(networkOf('+256772345678')?.name).toBe('MTN MoMo');
  expect(networkOf('256752345678')?.pawapay?.id).toBe('AIRTEL_OAPI_UGA');
  expect(carriersOf('UG' as Country)).toEqual(['MTN', 'Airtel']);
});
