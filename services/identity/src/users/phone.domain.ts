import { COUNTRIES } from '@vuka/money/corridors';
import { PHONE } from '@vuka/money/phones';

const CALLING_CODES = new Map(
  Object.values(COUNTRIES).map(({ name, callingCode }) => [name.toLowerCase(), callingCode]),
);

/**
 * The number with a plus and a known calling code, or null if it has none. `0712 345 678` in Kenya, `254712345678` and
 * `+254712345678` are the same number.
 */
export function toE164(phone: string, country: string): string | null {
  const digits = phone.replace('+', '');
  const candidates = [`+${digits}`, nationalToInternational(digits, country)];
  return candidates.find((number) => number !== undefined && PHONE.test(number)) ?? null;
}

function nationalToInternational(digits: string, country: string): string | undefined {
  const code = CALLING_CODES.get(country.trim().toLowerCase());
  return code && `+${code}${digits.replace(/^0/, '')}`;
}
