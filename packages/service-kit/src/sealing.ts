import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Key, Keyring } from './keyring.ts';

/** Encrypts values of one purpose, so that the database alone does not reveal them. */
export interface Sealing {
  /** `place` is bound to the value, so that it opens only there, such as `totp:<user id>`. */
  seal(value: Buffer, place: string): Buffer;
  /** Throws if the value was sealed by a key that is not in the keyring, for another place, or was changed. */
  open(sealed: Buffer, place: string): Buffer;
  /** Sealed by the keyring's current key. */
  isCurrent(sealed: Buffer): boolean;
}

const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM (NIST SP 800-38D): key id, nonce, tag, ciphertext. Each purpose has a key of its own, derived from the
 * secret (HKDF, RFC 5869), so that one secret can have several uses.
 */
export function createSealing(keyring: Keyring, purpose: string): Sealing {
  const keys = new Map(keyring.all.map((key) => [key.id, derive(key, purpose)]));
  const currentKey = derive(keyring.current, purpose);
  const currentId = Buffer.from(keyring.current.id, 'hex');

  return {
    seal(value, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(value), cipher.final()]);
      return Buffer.concat([currentId, nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, place) {
      const id = sealed.subarray(0, KEY_ID_BYTES).toString('hex');
      const key = keys.get(id);
      if (!key) throw new Error(`no key with id ${id}`);
      return openWith(key, sealed.subarray(KEY_ID_BYTES), place);
    },
    isCurrent: (sealed) => sealed.subarray(0, KEY_ID_BYTES).equals(currentId),
  };
}

/** The key of one purpose. */
export function derive({ secret }: Key, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `vuka ${purpose}`, 32)));
}

/** Opens nonce, tag and ciphertext. Throws for another key or place, or if they were changed. */
export function openWith(key: KeyObject, sealed: Buffer, place: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]);
}
