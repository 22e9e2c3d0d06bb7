import { createHash, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';
import { privateKeyOf, publicKeyOf, publicTextOf } from '@vuka/service-kit/ed25519';
import { toUuid } from '@vuka/service-kit/ids';
import type { Keyring } from '@vuka/service-kit/keyring';

/** Codes that let anyone verify a receipt: the key's id, the transfer's id and an Ed25519 signature. */
export interface ReceiptCodes {
  /** Base64url. Must stay accepted after the secret is replaced. */
  publicKey: string;
  codeOf(transferId: string): string;
  /** The transfer that a code names; undefined unless an accepted key signed it. */
  read(code: string): string | undefined;
}

const ID_END = 17;
const CODE_BYTES = 81;

/**
 * Derives a signing key from each secret; the first signs. Codes signed by `oldPublicKeys` (base64url) are accepted too.
 * Throws when one of them is not an Ed25519 key.
 */
export function createReceiptCodes(secrets: Keyring, oldPublicKeys: readonly string[] = []): ReceiptCodes {
  const signingKey = signingKeyOf(secrets.current.secret);
  const publicKey = publicTextOf(signingKey);
  const own = secrets.all.map(({ secret }) => publicTextOf(signingKeyOf(secret)));
  const accepted = [...own, ...oldPublicKeys].map((text) => ({ id: keyId(text), key: publicKeyOf(text) }));
  const ownId = keyId(publicKey);

  return {
    publicKey,
    codeOf(transferId) {
      const id = Buffer.from(transferId.replaceAll('-', ''), 'hex');
      return Buffer.concat([Buffer.of(ownId), id, sign(null, signedText(id), signingKey)]).toString('base64url');
    },
    read(code) {
      const bytes = Buffer.from(code, 'base64url');
      if (bytes.length !== CODE_BYTES || bytes.toString('base64url') !== code) return undefined;
      const id = bytes.subarray(1, ID_END);
      const isOurs = accepted.some(
        (each) => each.id === bytes[0] && verify(null, signedText(id), each.key, bytes.subarray(ID_END)),
      );
      return isOurs ? toUuid(id.toString('hex')) : undefined;
    },
  };
}

/** The prefix names the purpose, so that no other signature by this key can pass as a receipt's. */
function signedText(id: Buffer): Buffer {
  return Buffer.concat([Buffer.from('vuka receipt 1\0'), id]);
}

function signingKeyOf(secret: string): KeyObject {
  return privateKeyOf(Buffer.from(hkdfSync('sha256', secret, '', 'vuka receipt codes', 32)));
}

function keyId(publicKey: string): number {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest().readUInt8(0);
}
