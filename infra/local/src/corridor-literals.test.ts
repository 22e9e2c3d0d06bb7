import { expect, test } from 'vitest';
import { findCorridorLiterals } from './corridor-literals.ts';

test.each([
  "const currency = 'KES';",
  "type Currency = 'KES' | 'TZS';",
  'balances: { TZS: amount },',
  "if (currency === 'USD') return;",
  "const direction = 'KES_TO_TZS';",
  "const country = 'TZ';",
  "country_code: 'KE',",
  "wallet: { country: 'TZA' },",
  "country: 'Kenya',",
  '<p>Tanzania</p>',
  "const prefix = '+254';",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
  'const phone = `+255${digits}`;',
  "const PREFIXES = ['254', '255'];",
  "const msisdn = '254712345678';",
  "if (network === 'VODACOM_TZA') return;",
  "carriers: ['M-PESA', 'HaloPesa'],",
  "hint: 'M-Pesa (Safaricom)',",
  "name: 'Kenyan Shilling',",
])('finds %s', (line) => {
  expect(findCorridorLiterals(`// KES in a comment\n${line}\n`)).toEqual([`2: ${line}`]);
});

test.each([
  'const rate = rates.kesToTzs;',
  'z.maxLength(255)',
  'const ids = [254, 255];',
  "const url = 'https://example.com/2545';",
  '/** `+254712345678` and "1,251 KES" */',
  'const a = 1; // in KES',
  '/*\n * KES_TO_TZS\n */',
  'process.env.TOKEN',
])('leaves %j', (source) => {
  expect(findCorridorLiterals(source)).toEqual([]);
});
