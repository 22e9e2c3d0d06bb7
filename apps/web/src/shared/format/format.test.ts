import { describe, expect, test, vi } from 'vitest';
import { language } from '#shared/i18n/i18n.ts';
import { formatDay, formatDayAndTime, formatTime, formatTimeOn } from './date.ts';
import { amountDigits, dropDecimals, exceeds, formatAmount, formatWhole, groupDigits } from './money.ts';
import { filterPhoneInput, filterPin, formatPhone, groupPhone, readLocalPhone } from './phone.ts';
import { convertWhole, FALLBACK_INVERSE, formatInverse, formatRate } from './rate.ts';

describe('money', () => {
  test.each([
    ['1250.00', '1,250'],
    ['1250.49', '1,250'],
    ['1250.50', '1,251'],
    ['-1250.50', '-1,251'],
    ['0.00', '0'],
    ['900719925474099301.00', '900,719,925,474,099,301'],
    ['not a number', '0'],
  ])('shows %s rounded to whole units as %s', (amount, shown) => {
    expect(formatWhole(amount)).toBe(shown);
  });

  test('names the currency after the amount', () => {
    expect(formatAmount('25000.00', 'KES')).toBe('25,000 KES');
  });

  test.each([
    ['25,000', '25000'],
    ['abc12x3', '123'],
    ['007', '7'],
    ['0', '0'],
    ['', ''],
    ['1234567890123', '123456789012'],
    ['12.5', '125'],
  ])('reads the typed amount %j as the digits %j', (typed, digits) => {
    expect(amountDigits(typed)).toBe(digits);
  });

  test.each([
    ['2,500.00', '2,500'],
    ['2500,5', '2500'],
    ['1.234.567,89', '1.234.567'],
    ['2,500.00 KES', '2,500'],
    ['2,500/-', '2,500/-'],
    ['2,500', '2,500'],
    ['2.500', '2.500'],
    ['1,234,567', '1,234,567'],
    ['12', '12'],
  ])('the whole units of %j are %j', (amount, whole) => {
    expect(dropDecimals(amount)).toBe(whole);
  });

  test.each([
    ['', ''],
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['123456789012', '123,456,789,012'],
  ])('groups %j as %j', (digits, grouped) => {
    expect(groupDigits(digits)).toBe(grouped);
  });

  test.each([
    ['125400', '125400.00', false],
    ['125400', '125400.99', false],
    ['125401', '125400.99', true],
    ['1', '0.00', true],
    ['', '0.00', false],
    ['900719925474099302', '900719925474099301.00', true],
  ])('%j exceeds a balance of %s: %s', (digits, balance, expected) => {
    expect(exceeds(digits, balance)).toBe(expected);
  });
});

test.each([
  ['100', '175.00', '75.00', false],
  ['100', '174.99', '75.00', true],
  ['100', '100.50', '0.5', false],
  ['100', '-5.00', '0', true],
  ['100', 'no number', '0', false],
])('%s exceeds a balance of %s with a fee of %s: %s', (digits, balance, fee, expected) => {
  expect(exceeds(digits, balance, fee)).toBe(expected);
});

describe('rates', () => {
  test('shows a rate to 3 decimals, and to 2 where asked', () => {
    expect(formatRate('KES', 'TZS', 23.03)).toBe('1 KES = 23.030 TZS');
    expect(formatRate('KES', 'TZS', 23.03, 2)).toBe('1 KES = 23.03 TZS');
  });

  test('shows the inverse with enough digits to check an amount', () => {
    expect(formatInverse('TZS', 'KES', 0.0498)).toBe('1 KES = 20.080 TZS');
    expect(formatInverse('KES', 'TZS', 23.03)).toBe('1 TZS = 0.04342 KES');
    // A markup of 100 % leaves nothing.
    expect(formatInverse('KES', 'TZS', 0)).toBe('1 TZS = – KES');
  });

  test.each([
    ['25000', 23.03, '575750'],
    ['1', 0.5, '1'],
    ['1', 0.4999, '0'],
    ['3', 0.5, '2'],
    ['350000', 0.04170212766, '14596'],
    ['999999999999', 23.03, '23029999999977'],
    ['100', 1e-7, '0'],
    ['', 23.03, '0'],
    ['100', 0, '0'],
    ['100', Number.NaN, '0'],
  ])('%j at %s gives %s, rounded half up without floating point', (digits, rate, expected) => {
    expect(convertWhole(digits, rate)).toBe(expected);
  });

  test('has a fallback for a missing TZS to KES rate', () => {
    expect(FALLBACK_INVERSE).toBe(0.0425);
  });
});

describe('dates', () => {
  test.each([
    ['en', 'en-US', 'numeric'],
    ['sw', 'sw-KE', '2-digit'],
  ] as const)('in %s match CLDR, at every hour and in every month', (name, locale, hourStyle) => {
    const options = { month: 'short', day: 'numeric', year: 'numeric', hour: hourStyle, minute: '2-digit' } as const;
    const expected = new Intl.DateTimeFormat(locale, options);
    language.set(name);
    for (let hour = 0; hour < 24 * 366; hour += 7) {
      const at = new Date(2024, 0, 1, hour, hour % 60);
      // Intl puts a narrow space before AM and PM, which not every font has.
      expect(formatDayAndTime(at.toISOString())).toBe(expected.format(at).replaceAll('\u202f', ' '));
    }
    language.set('en');
  });
  test('shows a day like Jan 5, 2024', () => {
    expect(formatDay('2024-01-05T09:00:00.000Z')).toBe('Jan 5, 2024');
  });

  test.each(['America/New_York', 'Pacific/Kiritimati'])('are in East Africa Time on a device in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    expect(formatDay('2024-12-31T21:30:00.000Z')).toBe('Jan 1, 2025');
    expect(formatDayAndTime('2024-12-31T21:30:00.000Z')).toBe('Jan 1, 2025, 12:30 AM EAT');
    expect(formatTime('2024-12-31T20:59:00.000Z')).toBe('11:59 PM EAT');
    expect(formatDay('2025-01-31')).toBe('Jan 31, 2025');
    vi.unstubAllEnvs();
    expect(formatTime('2024-12-31T20:59:00.000Z')).toBe('11:59 PM');
    expect(formatTime('2024-12-31T20:59:07.000Z', true)).toBe('11:59:07 PM');
  });

  test('says what it cannot read', () => {
    expect(formatDay('yesterday')).toBe('Invalid date');
    expect(formatDayAndTime('yesterday')).toBe('Date unavailable');
  });
});

describe('phones', () => {
  test.each([
    ['712345678', { digits: '712345678' }],
    ['712 345 678', { digits: '712345678' }],
    ['0712345678', { digits: '712345678' }],
    ['7123456789', { digits: '712345678' }],
    ['abc7', { digits: '7' }],
    ['+255 712 345 678', { digits: '712345678', country: 'TZ' }],
    ['254722000111', { digits: '722000111', country: 'KE' }],
    ['+254 0722 000 111', { digits: '722000111', country: 'KE' }],
    ['00255712345678', { digits: '712345678', country: 'TZ' }],
    ['255763456', { digits: '255763456' }],
    ['25576345670', { digits: '25576345670' }],
    ['254712345678', { digits: '712345678', country: 'KE' }],
    ['2557634567001', { digits: '255763456700' }],
    ['+61 412 345 678', { digits: '+61412345678' }],
    ['0061 412 345 678', { digits: '+61412345678' }],
    ['+256 772 123 456', { digits: '+256772123456' }],
    ['+7 912 345 67 89', { digits: '+79123456789' }],
    ['+', { digits: '+' }],
    ['+25', { digits: '+25' }],
    ['+255', { digits: '255' }],
    ['+1415', { digits: '+1415' }],
    ['+12345678901234567890', { digits: '+123456789012345' }],
  ])('reads %j as a recipient', (typed, expected) => {
    expect(readLocalPhone(typed)).toEqual(expected);
  });

  test('groups digits by three while they are typed', () => {
    expect(groupPhone('7123')).toBe('712 3');
    expect(groupPhone('712345678')).toBe('712 345 678');
    expect(formatPhone('+255712345678')).toBe('+255 712 345 678');
    expect(formatPhone('ADMIN')).toBe('ADMIN');
  });

  test('lets the registration field hold digits and one leading plus, at most 13 characters', () => {
    expect(filterPhoneInput('+255 712-345 678')).toBe('+255712345678');
    expect(filterPhoneInput('07+12a')).toBe('0712');
    expect(filterPhoneInput('12345678901234')).toBe('1234567890123');
    expect(filterPhoneInput('++1')).toBe('+1');
  });

  test('lets a PIN field hold at most 4 digits', () => {
    expect(filterPin('12a345')).toBe('1234');
  });
});

test('a time has its day unless that is the day it is read on', () => {
  expect(formatTimeOn('2026-01-12T06:30:00Z', '2026-01-12T20:59:00Z')).toBe('9:30 AM');
  expect(formatTimeOn('2026-01-12T06:30:00Z', '2026-01-12T21:00:00Z')).toBe('Jan 12, 2026, 9:30 AM');
  expect(formatTimeOn('', '2026-01-12T21:00:00Z')).toBe('');
});
