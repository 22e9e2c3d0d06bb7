export type Direction = 'KES_TO_TZS' | 'TZS_TO_KES';

const LOCAL_DIGITS = 9;

/** The prefix is that of the country that receives the money. */
export function phonePrefix(direction: Direction): '+255' | '+254' {
  return direction === 'KES_TO_TZS' ? '+255' : '+254';
}

/** "712 345 678" */
export function groupPhone(digits: string): string {
  return digits.replace(/(\d{3})(?=\d)/g, '$1 ');
}

/** "+255 712 345 678" */
export function formatPhone(phone: string): string {
  const match = /^\+?(25[45])(\d{9})$/.exec(phone);
  return match ? `+${match[1]} ${groupPhone(match[2] ?? '')}` : phone;
}

export interface LocalPhone {
  digits: string;
  /** Set if the number includes a country code: the direction that pays to that country. */
  direction?: Direction;
}

/**
 * Whether digits begin with a country code. No local mobile-money number does, in either country: those begin with 1, 6
 * or 7. So it is an incomplete international number.
 */
export function beginsWithCountry(digits: string): boolean {
  return /^25[45]/.test(digits);
}

/**
 * Typed or pasted text ("0712 345 678", "+254 712…") as local digits, at most nine. A country code stays while the
 * number after it is incomplete: removing it early would leave another person's number.
 */
export function readLocalPhone(typed: string): LocalPhone {
  const digits = typed.replace(/\D/g, '');
  const international = /^(?:00)?(25[45])0?(\d{9})$/.exec(digits);
  if (international) {
    return { digits: international[2] ?? '', direction: international[1] === '255' ? 'KES_TO_TZS' : 'TZS_TO_KES' };
  }
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
