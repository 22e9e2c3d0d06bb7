import { createHash, hkdfSync, sign, verify } from 'node:crypto';
import { dayOf } from '@vuka/contracts/http/days';
import { privateKeyOf, publicKeyOf, publicTextOf } from '@vuka/service-kit/ed25519';
import type { Keyring } from '@vuka/service-kit/keyring';
import type { Logger } from '@vuka/service-kit/logger';
import type { Db } from '#db/schema.ts';

/** Signs the end of the audit trail. */
export interface HeadSigner {
  /** Names the current key in the table. */
  keyId: string;
  sign(head: Head): Buffer;
  /** Undefined if the key is not in the keyring. */
  verify(head: Head, signed: { keyId: string; signature: Buffer }): boolean | undefined;
}

/** The last entry at a moment. */
interface Head {
  position: bigint;
  hash: Buffer;
}

/** Derives an Ed25519 key from each secret. */
export function createHeadSigner(secrets: Keyring): HeadSigner {
  const keys = secrets.all.map(({ secret }) => {
    const privateKey = privateKeyOf(Buffer.from(hkdfSync('sha256', secret, '', 'vuka audit heads', 32)));
    const publicText = publicTextOf(privateKey);
    return { id: createHash('sha256').update(publicText).digest('hex').slice(0, 8), privateKey, publicText };
  });
  const [current] = keys;
  if (!current) throw new Error('no audit key');
  return {
    keyId: current.id,
    sign: (head) => sign(null, textOf(head), current.privateKey),
    verify(head, { keyId, signature }) {
      const known = keys.find(({ id }) => id === keyId);
      return known && verify(null, textOf(head), publicKeyOf(known.publicText), signature);
    },
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
