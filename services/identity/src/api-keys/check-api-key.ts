import type { KnownApiKey } from '@vuka/contracts/internal/identity';
import type { Db } from '#db/schema.ts';
import { hashApiKey, isIssuerBarred, selectApiKeys } from './api-key.store.ts';

const NOTED_EVERY_MS = 60_000;

/**
 * The key's id and name; null for an unknown or revoked key, and while its issuer may issue none: a key that a thief or a
 * dishonest administrator left behind must not work. Records its use at most once a minute, to avoid a write per request.
 */
export async function checkApiKey(
  { db, now }: { db: Db; now: () => Date },
  key: string,
): Promise<KnownApiKey['apiKey']> {
  const known = await selectApiKeys(db)
    .where('key_hash', '=', hashApiKey(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!known || isIssuerBarred(known)) return null;
  const { id, name, last_used_at: lastUsedAt } = known;
  const at = now();
  if (!lastUsedAt || at.getTime() - lastUsedAt.getTime() >= NOTED_EVERY_MS) {
    await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute();
  }
  return { id, name };
}
