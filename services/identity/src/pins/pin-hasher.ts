import { argon2, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { overloaded } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';

const argon2Async = promisify(argon2);

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
/** About 11 ms of CPU each: a longer queue would take longer than a person waits. */
const MAX_AT_ONCE = 200;
const KEY_ID = 'k1';

export interface PinHasher {
  /**
   * Runs work that hashes PINs, unless too much is waiting: then throws `unavailable` before starting, so that no
   * attempt is counted without being checked.
   */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  hash(userId: string, pin: string): Promise<string>;
  verify(userId: string, pin: string, verifier: string): Promise<boolean>;
  /** Takes as long as a verification; used for unknown emails. */
  pretend(pin: string): Promise<false>;
}

/**
 * PINs at rest: argon2id over HMAC-SHA256(pepper, user id and PIN). Four digits can be guessed from any hash in
 * seconds, so the protection is the pepper, which is not in the database. Hashes run one at a time; `admit` bounds the
 * queue.
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
      if (admitted >= maxAtOnce) throw overloaded(`${admitted} requests are waiting for a PIN to be hashed`);
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
