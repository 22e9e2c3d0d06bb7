import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** How long a code is valid, ms. */
export const CODE_LIFE_MS = 10 * 60_000;
/** Wrong entries until a code is void. With six digits, a guess succeeds once in 200,000 codes. */
export const MOST_WRONG_CODES = 5;

/** The key of all codes, derived from another secret (HKDF, RFC 5869) so that it is independent of its other uses. */
export function codeKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'vuka one-time codes', 32)));
}

/** The six digits of a code: an HMAC of its id, truncated as in HOTP (RFC 4226, section 5.3). Stored nowhere. */
export function digitsOf(key: KeyObject, id: string): string {
  const mac = createHmac('sha256', key).update(`digits ${id}`).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** The part of a link that only its e-mail has: 32 bytes, base64url. */
export function linkTokenOf(key: KeyObject, id: string): string {
  return createHmac('sha256', key).update(`link ${id}`).digest('base64url');
}
