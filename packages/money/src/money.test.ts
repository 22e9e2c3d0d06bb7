import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareAtRate,
  convertToMinor,
  convertToWholeUnits,
  cutToWholeUnits,
  formatMoney,
  inverseSellRate,
  isWithinFactors,
  parseMoney,
  percentageOf,
  sellRate,
} from './money.ts';

describe('amounts', () => {
  test.each([
    ['0', 0n],
    ['1250', 125000n],
    ['1250.5', 125050n],
    ['1250.05', 125005n],
    ['-3.20', -320n],
    ['999999999999.99', 99999999999999n],
  ])('reads %s as minor units', (text, minor) => {
    expect(parseMoney(text)).toBe(minor);
  });

  test.each(['', ' 1', '1.', '.5', '1.234', '1e5', 'NaN', '1,000', '--1', '+1'])('refuses %j', (text) => {
    expect(() => parseMoney(text)).toThrow(RangeError);
  });

  test('what is written reads back as the same amount', () => {
    void fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
        (minor) => parseMoney(formatMoney(minor)) === minor,
      ),
    );
  });
});

describe('rates', () => {
  test.each([
    ['23.5', '2', '23.03'],
    ['23.5', '0', '23.5'],
    ['24.123456', '2.5', '23.5203696'],
    ['20', '100', '0'],
  ])('sells a buy rate of %s with a markup of %s at %s, exactly', (buy, markup, sell) => {
    expect(sellRate(buy, markup)).toBe(sell);
  });

  test.each([
    ['12', '24', true],
    ['11.999999999999999999', '24', false],
    ['36', '24', true],
    ['36.000000000000000001', '24', false],
    ['0', '0', true],
    ['0.000001', '0', false],
    ['0', '24', false],
  ])('%s is within half and one and a half times %s: %s, exactly', (value, base, isWithin) => {
    expect(isWithinFactors(value, base, { low: '0.5', high: '1.5' })).toBe(isWithin);
  });

  test('keeps at least ten significant digits of the inverse rate', () => {
    expect(inverseSellRate('23.5', '2')).toBe('0.0417021276595744');
    expect(() => inverseSellRate('0', '2')).toThrow(RangeError);
  });

  test('neither direction ever favours the sender over the buy rate', () => {
    const rate = fc.integer({ min: 1, max: 999_999_999 }).map((n) => (n / 1e6).toFixed(6));
    const markup = fc.integer({ min: 0, max: 10_000 }).map((n) => (n / 100).toFixed(2));
    const million = 10n ** 8n;
    void fc.assert(
      fc.property(rate, markup, (buy, percent) => {
        const there = convertToMinor(million, sellRate(buy, percent));
        const atBuy = convertToMinor(million, buy);
        const back = convertToMinor(atBuy, inverseSellRate(buy, percent));
        return there <= atBuy && back <= million + million / 10n ** 4n;
      }),
    );
  });
});

describe('conversion', () => {
  test.each([
    ['100.00', '23.03', '2303.00'],
    ['0.02', '25', '1.00'],
    ['0.01', '49.99', '0.00'],
    ['0.01', '50', '1.00'],
    ['25000.00', '0.0417021276595744', '1043.00'],
  ])('%s at %s is %s, rounded half up to whole units', (source, rate, target) => {
    expect(formatMoney(convertToWholeUnits(parseMoney(source), rate))).toBe(target);
  });

  test('rounds once: the whole-unit figure is within half a unit of the exact one', () => {
    void fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 1, max: 10 ** 9 }), (source, n) => {
        const rate = (n / 1e6).toFixed(6);
        const exact = convertToMinor(source, rate);
        const difference = convertToWholeUnits(source, rate) - exact;
        return difference <= 51n && difference >= -51n;
      }),
    );
  });

  test.each([
    ['2.00', '23.5', '47.00', 0],
    ['2.00', '23.5', '47.01', -1],
    ['2.00', '23.5', '46.99', 1],
    ['0.04', '24.9', '1.00', -1],
    ['0.01', '0.0417021276595744', '0.00', 1],
  ])('%s at %s is compared with %s without rounding', (amount, rate, other, result) => {
    expect(compareAtRate(parseMoney(amount), rate, parseMoney(other))).toBe(result);
  });

  test.each([
    ['12.99', '12.00'],
    ['12.00', '12.00'],
    ['0.99', '0.00'],
  ])('the whole units in %s are %s', (amount, whole) => {
    expect(formatMoney(cutToWholeUnits(parseMoney(amount)))).toBe(whole);
  });

  test('takes a percentage half up to the minor unit', () => {
    expect(percentageOf(100_00n, '1.25')).toBe(1_25n);
    expect(percentageOf(1n, '50')).toBe(1n);
  });
});
