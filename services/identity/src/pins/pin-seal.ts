import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@vuka/service-kit/keyring';

interface SealedSession {
  /** The session id from the cookie. */
  token: string;
  userId: string;
  pinVersion: number;
}

export interface PinSealer {
  /** Identifies the key of new seals. */
  readonly keyId: Buffer;
  seal(session: SealedSession, pin: string): Buffer;
  /** Undefined for a seal by a key that is not in the keyring: it says nothing about a PIN. */
  matches(session: SealedSession, pin: string, seal: { keyId: Buffer; value: Buffer }): boolean | undefined;
}

/**
 * Checks a PIN during a session in microseconds: HMAC(key, session id, user, PIN version, PIN), stored in the session's
 * row. The database and the key together are not enough to attack it, since the session id is only in the cookie.
 */
export function createPinSealer(secrets: Keyring): PinSealer {
  const keys = secrets.all.map(({ secret }) => {
    const key = createSecretKey(Buffer.from(secret));
    return { key, id: createHmac('sha256', key).update('id of this key').digest().subarray(0, 8) };
  });
  const [current] = keys;
  if (!current) throw new Error('no session secret');
  const seal = (key: KeyObject, { token, userId, pinVersion }: SealedSession, pin: string) =>
    createHmac('sha256', key).update(`${token}|${userId}|${pinVersion}|${pin}`).digest();
  return {
    keyId: current.id,
    seal: (session, pin) => seal(current.key, session, pin),
    matches(session, pin, { keyId, value }) {
      const known = keys.find(({ id }) => id.equals(keyId));
      return known && timingSafeEqual(seal(known.key, session, pin), value);
    },
  };
}
