import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@vuka/service-kit/keyring';
import { derive } from '@vuka/service-kit/sealing';

/** How long a code is valid, ms. */
export const CODE_LIFE_MS = 10 * 60_000;
/** Wrong entries until a code is void. With six digits, a guess succeeds once in 200,000 codes. */
export const MOST_WRONG_CODES = 5;

/** The digits and the link token of a code: HMACs of its id, stored nowhere. */
export interface OneTimeCodes {
  /** Six digits. */
  digitsOf(id: string): string;
  /** The token of the link in the email, which nothing else contains: 32 bytes, base64url. */
  linkTokenOf(id: string): string;
  /** Also while the secret is being replaced. */
  areDigitsOf(id: string, entered: string): boolean;
  isLinkTokenOf(id: string, entered: string): boolean;
}

export function createOneTimeCodes(secrets: Keyring): OneTimeCodes {
  const keys = secrets.all.map((key) => derive(key, 'one-time codes'));
  const currentKey = derive(secrets.current, 'one-time codes');
  const matches = (made: (key: KeyObject, id: string) => string) => (id: string, entered: string) =>
    keys.some((key) => isSame(made(key, id), entered));
  return {
    digitsOf: (id) => digits(currentKey, id),
    linkTokenOf: (id) => linkToken(currentKey, id),
    areDigitsOf: matches(digits),
    isLinkTokenOf: matches(linkToken),
  };
}

/** Truncated as in HOTP (RFC 4226, section 5.3). */
function digits(key: KeyObject, id: string): string {
  const mac = createHmac('sha256', key).update(`digits ${id}`).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

function linkToken(key: KeyObject, id: string): string {
  return createHmac('sha256', key).update(`link ${id}`).digest('base64url');
}

function isSame(expected: string, entered: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(entered)];
  return one.length === other.length && timingSafeEqual(one, other);
}
