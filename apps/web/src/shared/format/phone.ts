import type { Country } from '@vuka/money/corridors';
import { LOCAL_DIGITS, prefixOf, splitPhone } from '@vuka/money/phones';

/** "712 345 678" */
export function groupPhone(digits: string): string {
  return digits.replace(/(\d{3})(?=\d)/g, '$1 ');
}

/** "+255 712 345 678" */
export function formatPhone(phone: string): string {
  const split = splitPhone(phone);
  return split && /^\d{9}$/.test(split.local) ? `${prefixOf(split.country)} ${groupPhone(split.local)}` : phone;
}

export interface LocalPhone {
  digits: string;
  /** Set if the number includes the country's code. */
  country?: Country;
}

/**
 * Whether digits begin with a country code. No local mobile-money number does: those begin with 1, 6 or 7. So it is an
 * incomplete international number.
 */
export function beginsWithCountry(digits: string): boolean {
  return splitPhone(digits) !== undefined;
}

/**
 * Typed or pasted text ("0712 345 678", "+254 712…") as local digits, at most nine. A country code stays while the
 * number after it is incomplete: removing it early would leave another person's number. So would cutting the number of
 * another country, which stays whole, with its plus: at most fifteen digits.
 */
export function readLocalPhone(typed: string): LocalPhone {
  const digits = typed.replace(/\D/g, '');
  const international = splitPhone(digits.replace(/^00/, ''));
  const local = /^0?(\d{9})$/.exec(international?.local ?? '')?.[1];
  if (international && local) return { digits: local, country: international.country };
  if (/^\s*(\+|00)/.test(typed) && !international) return { digits: `+${digits.replace(/^00/, '')}`.slice(0, 16) };
  const national = digits.length > LOCAL_DIGITS ? digits.replace(/^0+/, '') : digits;
  return { digits: national.slice(0, LOCAL_DIGITS + (beginsWithCountry(national) ? 3 : 0)) };
}

/** Digits and one leading plus, at most 13 characters: the input filter of the registration's phone field. */
export function filterPhoneInput(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  return (typed.trimStart().startsWith('+') ? `+${digits}` : digits).slice(0, 13);
}

/** Up to `maxDigits` digits: the input filter of a PIN field. */
export function filterPin(typed: string, maxDigits = 4): string {
  return typed.replace(/\D/g, '').slice(0, maxDigits);
}
