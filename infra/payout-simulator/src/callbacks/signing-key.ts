import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

export interface SigningKey {
  id: string;
  privateKey: KeyObject;
  publicPem: string;
}

/** The simulator's own key, made at the first start. Its id distinguishes it from the keys of other databases. */
export async function loadSigningKey(db: Db): Promise<SigningKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const digest = createHash('sha256').update(publicPemOf(privateKey)).digest('hex').slice(0, 8);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await sql`
    insert into signing_keys (id, private_key)
    select ${`HTTP_EC_P256_KEY:${digest}`}, ${pem} where not exists (select from signing_keys)`.execute(db);
  const stored = await db
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow();
  const key = createPrivateKey(stored.private_key);
  return { id: stored.id, privateKey: key, publicPem: publicPemOf(key) };
}

function publicPemOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}
