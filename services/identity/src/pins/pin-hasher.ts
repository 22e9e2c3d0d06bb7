import { argon2, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { overloaded } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';

const argon2Async = promisify(argon2);

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
/** About 11 ms of CPU each: more than these at once would be longer than a person waits. */
const MAX_AT_ONCE = 200;
const KEY_ID = 'k1';

export interface PinHasher {
  /**
   * Runs what needs PINs hashed, unless too many are at it: throws `unavailable` before it has begun, so that nobody's
   * attempt is counted that was never judged.
   */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  hash(userId: string, pin: string): Promise<string>;
  verify(userId: string, pin: string, verifier: string): Promise<boolean>;
  /** Takes as long as a verification; for emails that nobody has. */
  pretend(pin: string): Promise<false>;
}

/**
 * PINs at rest: argon2id over HMAC-SHA256(pepper, user id and PIN). Four digits are guessed in seconds from any hash,
 * so what protects them is the pepper, which the database does not hold. Hashing runs one at a time; `admit` bounds what
 * waits for it.
 */
export function createPinHasher(pepper: string, { maxAtOnce = MAX_AT_ONCE } = {}): PinHasher {
  const key = createSecretKey(Buffer.from(pepper));
  const queue = createBatcher<{ message: Buffer; nonce: Buffer }, Buffer>({
    maxBatch: 1,
    run: async ([job]) => (job ? [await argon2Async('argon2id', { ...job, ...COST })] : []),
  });
  const peppered = (userId: string, pin: string) => createHmac('sha256', key).update(`${userId}|${pin}`).digest();

  async function verify(userId: string, pin: string, verifier: string) {
    const [keyId, nonce = '', expected = ''] = verifier.split('$');
    if (keyId !== KEY_ID) throw new Error(`no pepper with id ${keyId}`);
    const tag = await queue.submit({ message: peppered(userId, pin), nonce: Buffer.from(nonce, 'base64url') });
    return timingSafeEqual(tag, Buffer.from(expected, 'base64url'));
  }

  let admitted = 0;

  return {
    async admit(work) {
      if (admitted >= maxAtOnce) throw overloaded(`${admitted} wait for a PIN to be hashed`);
      admitted += 1;
      try {
        return await work();
      } finally {
        admitted -= 1;
      }
    },
    async hash(userId, pin) {
      const nonce = randomBytes(16);
      const tag = await queue.submit({ message: peppered(userId, pin), nonce });
      return `${KEY_ID}$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
    },
    verify,
    async pretend(pin) {
      await queue.submit({ message: peppered('nobody', pin), nonce: randomBytes(16) });
      return false;
    },
  };
}
