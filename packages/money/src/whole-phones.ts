import { COUNTRY_CODES } from './directions.ts';
import { PHONE, prefixOf, splitPhone } from './phones.ts';

/**
 * The complete numbers that a text can mean: "+255 763 456 789", "255763456789" and "00255 …" mean one, "0763 456 789"
 * one in each country. Empty for a part of a number, or for any other text.
 */
export function wholePhones(typed: string): string[] {
  const [, digits] = /^(?:\+|00)?(\d+)$/.exec(typed.replace(/[\s().-]/g, '')) ?? [];
  if (!digits) return [];
  const international = splitPhone(digits);
  const meanings = [
    ...(international ? [{ country: international.country, local: international.local }] : []),
    ...COUNTRY_CODES.map((country) => ({ country, local: digits })),
  ];
  // People write the zero of a national number after the country's code too.
  return meanings
    .map(({ country, local }) => prefixOf(country) + local.replace(/^0/, ''))
    .filter((phone) => PHONE.test(phone));
}
