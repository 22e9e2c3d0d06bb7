import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The PKCS #8 envelope of an Ed25519 private key (RFC 8410, section 7), which ends with the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
export const SEED_BYTES = 32;

/** The private key of a seed of 32 bytes. */
export function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** The public half of a private key: 32 bytes in base64url. */
export function publicTextOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
}

/** The public key of 32 bytes in base64url. Throws if it is none. */
export function publicKeyOf(text: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });
}
