import { describe, expect, test } from 'vitest';
import { COUNTRIES, type Currency } from './corridors.ts';
import { CURRENCY_CODES, fitsCurrency, isWalletCurrency, smallestAmount, WALLET_CURRENCIES } from './currencies.ts';
import {
  COUNTRY_CODES,
  corridorOf,
  countryOf,
  DIRECTIONS,
  directionFrom,
  directionOf,
  directionTo,
  RATED,
  reverseOf,
} from './directions.ts';
import { MOBILE } from './mobile-networks.ts';
import { currencyOfPhone, PHONE, recipientPrefix, splitPhone } from './phones.ts';

describe('the table', () => {
  test('names each corridor after its currencies', () => {
    for (const direction of DIRECTIONS) {
      const { source, target } = corridorOf(direction);
      expect(direction).toBe(`${source}_TO_${target}`);
    }
  });

  test('has one country for each wallet currency, with its own calling code', () => {
    expect(COUNTRY_CODES.map((code) => COUNTRIES[code].currency)).toEqual(WALLET_CURRENCIES);
    expect(new Set(COUNTRY_CODES.map((code) => COUNTRIES[code].callingCode)).size).toBe(COUNTRY_CODES.length);
  });

  test('has an example of a mobile number, and a network that pawaPay reaches, in every country', () => {
    for (const code of COUNTRY_CODES) {
      expect(PHONE.test(`+${COUNTRIES[code].callingCode}${COUNTRIES[code].example}`)).toBe(true);
      expect(MOBILE[code].networks.some(({ pawapay }) => pawapay)).toBe(true);
    }
  });

  test('has one corridor that the exchange rate is quoted for, and its way back', () => {
    const rates = DIRECTIONS.map((direction) => corridorOf(direction).rate);
    expect(rates.filter((rate) => rate === 'buy')).toHaveLength(1);
    expect(rates.filter((rate) => rate === 'inverse')).toHaveLength(1);
    expect(corridorOf(reverseOf(RATED.direction) ?? RATED.direction).rate).toBe('inverse');
  });
});

test('merchants have wallets in some currencies; the others are only deposited', () => {
  expect(WALLET_CURRENCIES).toEqual(['KES', 'TZS']);
  expect(CURRENCY_CODES).toEqual(['KES', 'TZS', 'USD']);
  expect(isWalletCurrency('USD')).toBe(false);
  expect(isWalletCurrency('toString')).toBe(false);
});

test.each<[string, Currency, boolean]>([
  ['12.50', 'KES', true],
  ['12.5', 'TZS', true],
  ['12', 'USD', true],
])('%s fits %s: %s', (amount, currency, fits) => {
  expect(fitsCurrency(amount, currency)).toBe(fits);
  expect(smallestAmount(currency)).toBe(1n);
});

describe('directions', () => {
  test('are found by their currencies, and back', () => {
    expect(directionOf('KES', 'TZS')).toBe('KES_TO_TZS');
    expect(directionOf('KES', 'KES')).toBeUndefined();
    expect(reverseOf('KES_TO_TZS')).toBe('TZS_TO_KES');
    expect(directionFrom('TZS')).toBe('TZS_TO_KES');
    expect(directionFrom('USD')).toBe('KES_TO_TZS');
    expect(RATED).toEqual({ direction: 'KES_TO_TZS', source: 'KES', target: 'TZS' });
  });

  test('are found by the country that is paid, whatever the currency that pays', () => {
    expect(directionTo('TZ', 'KES')).toBe('KES_TO_TZS');
    expect(directionTo('KE', 'KES')).toBe('TZS_TO_KES');
    expect(countryOf('TZS')).toBe('TZ');
  });
});

describe('phones', () => {
  test('have the prefix of the country that is paid', () => {
    expect(recipientPrefix('KES_TO_TZS')).toBe('+255');
    expect(recipientPrefix('TZS_TO_KES')).toBe('+254');
  });

  test('are paid in the currency of their country', () => {
    expect(currencyOfPhone('+254712345678')).toBe('KES');
    expect(currencyOfPhone('255712345678')).toBe('TZS');
    expect(() => currencyOfPhone('+256772345678')).toThrow(RangeError);
  });

  test('are split after a calling code', () => {
    expect(splitPhone('+2547')).toEqual({ country: 'KE', local: '7' });
    expect(splitPhone('0712345678')).toBeUndefined();
  });

  test.each([
    ['+254712345678', true],
    ['+255612345678', true],
    ['+254012345678', false],
    ['+25471234567', false],
    ['254712345678', false],
    ['+256712345678', false],
    ['+254712345678x', false],
  ])('%s can be paid: %s', (phone, isPayable) => {
    expect(PHONE.test(phone)).toBe(isPayable);
  });
});
