import { argon2, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { overloaded } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { Keyring } from '@vuka/service-kit/keyring';
import { createSealing } from '@vuka/service-kit/sealing';

const argon2Async = promisify(argon2);

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
/** About 11 ms of CPU each: a longer queue would take longer than a person waits. */
const MAX_AT_ONCE = 200;
const SEALED = 's';
const HMAC = 'h';
const UNNAMED = 'k1$';

export interface PinHasher {
  /**
   * The prefixes of verifiers: current ones; those that wait until the PIN is entered; of the latter, those under the
   * current pepper.
   */
  readonly prefixes: { current: string; waiting: string; waitingUnderCurrent: string };
  /**
   * Runs work that hashes PINs, unless too much is waiting: then throws `unavailable` before starting, so that no attempt
   * is counted without being checked.
   */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same for registrations, which may take a quarter of the places. */
  admitRegistration<Result>(work: () => Promise<Result>): Promise<Result>;
  hash(userId: string, pin: string): Promise<string>;
  verify(userId: string, pin: string, verifier: string): Promise<boolean>;
  /**
   * Whether the PIN must be hashed again when it is next entered, since its verifier would not survive the removal of
   * old peppers.
   */
  isOutdated(verifier: string): boolean;
  /** The verifier under the current pepper, if that is possible without the PIN. */
  renew(userId: string, verifier: string): string | undefined;
  /** Takes as long as a verification; used for unknown emails. */
  pretend(pin: string): Promise<false>;
}

/** How a verifier is written: its kind, the pepper's id, and two parts in base64url. */
interface Verifier {
  kind: string;
  keyId: string;
  nonce: Buffer;
  secret: Buffer;
}

/**
 * PINs at rest: argon2id, encrypted with the pepper. Four digits can be guessed from any hash in seconds, so the
 * protection is the pepper, which is not in the database; as it encrypts the hash, it can be replaced without the PIN.
 * Earlier releases hashed an HMAC by the pepper instead: such a verifier is replaced when its PIN is next entered.
 * Hashes run one at a time; `admit` bounds the queue.
 */
export function createPinHasher(peppers: Keyring, { maxAtOnce = MAX_AT_ONCE } = {}): PinHasher {
  const sealing = createSealing(peppers, 'PIN verifiers');
  const hmacKeys = new Map(peppers.all.map(({ id, secret }) => [id, createSecretKey(Buffer.from(secret))]));
  const queue = createBatcher<{ message: Buffer; nonce: Buffer }, Buffer>({
    maxBatch: 1,
    run: async ([job]) => (job ? [await argon2Async('argon2id', { ...job, ...COST })] : []),
  });
  const messageOf = (userId: string, pin: string) => `${userId}|${pin}`;
  const placeOf = (userId: string) => `pin ${userId}`;
  const current = peppers.current.id;

  /** Verifiers of the first release name no pepper: there was only one. */
  function parse(verifier: string): Verifier {
    const parts = verifier.startsWith(UNNAMED) ? [HMAC, current, ...verifier.split('$').slice(1)] : verifier.split('$');
    const [kind = '', keyId = '', nonce = '', secret = ''] = parts;
    return { kind, keyId, nonce: Buffer.from(nonce, 'base64url'), secret: Buffer.from(secret, 'base64url') };
  }

  function write({ kind, keyId, nonce, secret }: Verifier): string {
    return [kind, keyId, nonce.toString('base64url'), secret.toString('base64url')].join('$');
  }

  /** No PIN is right whose pepper was removed, or whose verifier was changed or is another user's. */
  function openOrNothing(sealed: Buffer, place: string): Buffer | undefined {
    try {
      return sealing.open(sealed, place);
    } catch {
      return undefined;
    }
  }

  async function verify(userId: string, pin: string, verifier: string) {
    const { kind, keyId, nonce, secret } = parse(verifier);
    const message = Buffer.from(messageOf(userId, pin));
    const hmacKey = hmacKeys.get(keyId);
    if (kind === HMAC && hmacKey) {
      const tag = await queue.submit({ message: createHmac('sha256', hmacKey).update(message).digest(), nonce });
      return timingSafeEqual(tag, secret);
    }
    const tag = await queue.submit({ message, nonce });
    const expected = openOrNothing(secret, placeOf(userId));
    return expected !== undefined && timingSafeEqual(tag, expected);
  }

  const places = createPlaces(maxAtOnce);
  const registrations = createPlaces(Math.ceil(maxAtOnce / 4));

  return {
    prefixes: { current: `${SEALED}$${current}$`, waiting: `${HMAC}$`, waitingUnderCurrent: `${HMAC}$${current}$` },
    admit: places.run,
    admitRegistration: (work) => registrations.run(() => places.run(work)),
    async hash(userId, pin) {
      const nonce = randomBytes(16);
      const tag = await queue.submit({ message: Buffer.from(messageOf(userId, pin)), nonce });
      return write({ kind: SEALED, keyId: current, nonce, secret: sealing.seal(tag, placeOf(userId)) });
    },
    verify,
    isOutdated: (verifier) => parse(verifier).kind !== SEALED,
    renew(userId, verifier) {
      const parsed = parse(verifier);
      const { kind, keyId, secret } = parsed;
      if (kind === HMAC) return verifier.startsWith(UNNAMED) && peppers.all.length === 1 ? write(parsed) : undefined;
      if (keyId === current) return undefined;
      const place = placeOf(userId);
      const tag = openOrNothing(secret, place);
      return tag && write({ ...parsed, keyId: current, secret: sealing.seal(tag, place) });
    },
    async pretend(pin) {
      await queue.submit({ message: Buffer.from(messageOf('nobody', pin)), nonce: randomBytes(16) });
      return false;
    },
  };
}

/** Runs work at once, so much of it at a time; throws `unavailable` when there is no place. */
function createPlaces(most: number) {
  let taken = 0;
  return {
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (taken >= most) throw overloaded(`${taken} requests are waiting for a PIN to be hashed`);
      taken += 1;
      try {
        return await work();
      } finally {
        taken -= 1;
      }
    },
  };
}
