const CALLING_CODES: Record<string, string> = { kenya: '254', tanzania: '255' };

/**
 * The number as `+254...` or `+255...` with nine digits, or null if it is neither. `0712 345 678` in Kenya,
 * `254712345678` and `+254712345678` are the same number.
 */
export function toE164(phone: string, country: string): string | null {
  const digits = phone.replace('+', '');
  const international = /^25[45][1-9]\d{8}$/.test(digits) ? digits : nationalToInternational(digits, country);
  return international && /^25[45][1-9]\d{8}$/.test(international) ? `+${international}` : null;
}

function nationalToInternational(digits: string, country: string): string | undefined {
  const code = CALLING_CODES[country.trim().toLowerCase()];
  return code && `${code}${digits.replace(/^0/, '')}`;
}
