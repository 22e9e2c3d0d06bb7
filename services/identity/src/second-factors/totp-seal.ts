import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

/** The key of all secrets, derived from another secret (HKDF, RFC 5869) so that it is independent of its other uses. */
export function totpKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'vuka authenticator apps', 32)));
}

/** AES-256-GCM, bound to the user: nonce, tag, ciphertext. The database alone opens no account. */
export function sealSecret(key: KeyObject, userId: string, secret: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws if the secret was sealed with another key or for another user. */
export function openSecret(key: KeyObject, userId: string, sealed: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
  cipher.setAAD(Buffer.from(userId)).setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]);
}
