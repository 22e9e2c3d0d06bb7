import { randomInt } from 'node:crypto';
import { dayOf } from '@vuka/contracts/http/days';

/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A reference for people to read out: the kind of entry, its day in East Africa, and 40 random bits, such as `DEP-20260101-…`. */
export function makeReference(kind: 'DEP' | 'CRD' | 'ADJ', now: Date): string {
  const day = dayOf(now.getTime()).replaceAll('-', '');
  const random = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${kind}-${day}-${random}`;
}
