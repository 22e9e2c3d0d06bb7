import { expect, test } from 'vitest';
import { amountInWords } from './amount-in-words.ts';

test.each([
  ['100000', 'one hundred thousand', 'laki moja'],
  ['125400', 'one hundred and twenty-five thousand, four hundred', 'laki moja, elfu ishirini na tano, na mia nne'],
  ['120005', 'one hundred and twenty thousand and five', 'laki moja, elfu ishirini, na tano'],
  ['200019', 'two hundred thousand and nineteen', 'laki mbili, na kumi na tisa'],
  [
    '350421',
    'three hundred and fifty thousand, four hundred and twenty-one',
    'laki tatu, elfu hamsini, na mia nne ishirini na moja',
  ],
  ['1000000', 'one million', 'milioni moja'],
  [
    '2350001',
    'two million, three hundred and fifty thousand and one',
    'milioni mbili, laki tatu, elfu hamsini, na moja',
  ],
  ['11000105', 'eleven million, one hundred and five', 'milioni kumi na moja, na mia moja na tano'],
  ['250000000', 'two hundred and fifty million', 'milioni mia mbili hamsini'],
  ['1000000000', 'one billion', 'bilioni moja'],
])('%s reads %s in English and %s in Kiswahili', (digits, english, swahili) => {
  expect(amountInWords(digits, 'en')).toBe(english);
  expect(amountInWords(digits, 'sw')).toBe(swahili);
});

test('no two amounts read alike', () => {
  for (const language of ['en', 'sw'] as const) {
    const seen = new Set(
      Array.from({ length: 30_000 }, (_, index) => amountInWords(String(100_000 + index * 37), language)),
    );
    expect(seen.size).toBe(30_000);
  }
});
