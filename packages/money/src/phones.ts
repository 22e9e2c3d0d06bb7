import { COUNTRIES, type Country, type Direction, type WalletCurrency } from './corridors.ts';
import { COUNTRY_CODES, corridorOf, countryOf } from './directions.ts';

/** The digits of a phone number after its calling code, in every country. */
export const LOCAL_DIGITS = 9;

const CALLING_CODES = COUNTRY_CODES.map((country) => COUNTRIES[country].callingCode).join('|');

/** A complete number that can be paid: `+`, a calling code, and nine digits without a leading zero. */
export const PHONE = new RegExp(`^\\+(${CALLING_CODES})[1-9]\\d{${LOCAL_DIGITS - 1}}$`);

/**
 * The country of a number, and what follows its calling code, complete or not. Undefined for a text that does not begin
 * with a calling code, with or without a plus.
 */
export function splitPhone(phone: string): { country: Country; local: string } | undefined {
  const digits = phone.replace('+', '');
  const country = COUNTRY_CODES.find((each) => digits.startsWith(COUNTRIES[each].callingCode));
  return country && { country, local: digits.slice(COUNTRIES[country].callingCode.length) };
}

/** The currency that a number is paid in. Throws RangeError for a number without a known calling code. */
export function currencyOfPhone(phone: string): WalletCurrency {
  const split = splitPhone(phone);
  if (!split) throw new RangeError('not a number of a known country');
  return COUNTRIES[split.country].currency;
}

/** `+254` */
export function prefixOf(country: Country): string {
  return `+${COUNTRIES[country].callingCode}`;
}

/** The prefix of a recipient's number: that of the country that receives the money. */
export function recipientPrefix(direction: Direction): string {
  return prefixOf(countryOf(corridorOf(direction).target));
}
