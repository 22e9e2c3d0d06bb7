import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

interface SealedSession {
  /** The session id from the cookie. */
  token: string;
  userId: string;
  pinVersion: number;
}

export interface PinSealer {
  /** Identifies the key. A seal made with another key says nothing about a PIN. */
  readonly keyId: Buffer;
  seal(session: SealedSession, pin: string): Buffer;
  matches(session: SealedSession, pin: string, seal: Buffer): boolean;
}

/**
 * Checks a PIN during a session in microseconds: HMAC(key, session id, user, PIN version, PIN), stored in the session's
 * row. The database and the key together are not enough to attack it, since the session id is only in the cookie.
 */
export function createPinSealer(secret: string): PinSealer {
  const key = createSecretKey(Buffer.from(secret));
  const seal = ({ token, userId, pinVersion }: SealedSession, pin: string) =>
    createHmac('sha256', key).update(`${token}|${userId}|${pinVersion}|${pin}`).digest();
  return {
    keyId: createHmac('sha256', key).update('id of this key').digest().subarray(0, 8),
    seal,
    matches: (session, pin, expected) => timingSafeEqual(seal(session, pin), expected),
  };
}
