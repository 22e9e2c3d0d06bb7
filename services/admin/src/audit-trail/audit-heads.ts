import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';
import { dayOf } from '@vuka/contracts/http/days';
import type { Logger } from '@vuka/service-kit/logger';
import type { Db } from '#db/schema.ts';

/** Signs the end of the audit trail. */
export interface HeadSigner {
  /** Names the key in the table. */
  keyId: string;
  sign(head: Head): Buffer;
  verify(head: Head, signature: Buffer): boolean;
}

/** The last entry at a moment. */
interface Head {
  position: bigint;
  hash: Buffer;
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives an Ed25519 key from the secret. */
export function createHeadSigner(secret: string): HeadSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'vuka audit heads', 32));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const publicKey: KeyObject = createPublicKey(key);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    keyId: createHash('sha256').update(x).digest('hex').slice(0, 8),
    sign: (head) => sign(null, textOf(head), key),
    verify: (head, signature) => verify(null, textOf(head), publicKey, signature),
  };
}

/** The prefix names the purpose, so that no other signature by this key can pass as one of a head. */
function textOf({ position, hash }: Head): Buffer {
  return Buffer.from(`vuka audit head 1\0${position} ${hash.toString('hex')}`);
}

/**
 * Signs the end of the trail once a day, and logs it: a copy of the log is a proof that no administrator of the database
 * can change.
 */
export async function signHead(deps: {
  db: Db;
  signer: HeadSigner;
  logger: Pick<Logger, 'info'>;
  now: () => Date;
}): Promise<void> {
  const at = deps.now();
  const day = dayOf(at.getTime());
  const signed = await deps.db.selectFrom('audit_heads').select('day').where('day', '=', day).executeTakeFirst();
  if (signed) return;
  const head = await deps.db
    .selectFrom('audit_trail')
    .select(['position', 'hash'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!head) return;
  const { keyId } = deps.signer;
  const signature = deps.signer.sign(head);
  await deps.db
    .insertInto('audit_heads')
    .values({ day, ...head, key_id: keyId, signature, signed_at: at })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  const facts = { position: Number(head.position), hash: head.hash.toString('hex'), keyId };
  deps.logger.info({ ...facts, signature: signature.toString('base64url') }, 'the head of the audit trail is signed');
}
