import { createHash } from 'node:crypto';
import { mayDo } from '@vuka/contracts/http/admin-rights';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { AppError } from '@vuka/service-kit/app-error';
import type { Kysely } from 'kysely';
import type { Schema } from '#db/schema.ts';

/**
 * The stored form of a key. One SHA-256 is enough: slow hashes protect guessable secrets, and 32 random bytes cannot be
 * guessed.
 */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function selectApiKeys(db: Kysely<Schema>) {
  return db
    .selectFrom('api_keys')
    .innerJoin('admins', 'admins.user_id', 'api_keys.created_by')
    .innerJoin('users', 'users.id', 'api_keys.created_by')
    .select(['api_keys.id', 'api_keys.name', 'api_keys.ending', 'api_keys.created_at'])
    .select(['api_keys.last_used_at', 'api_keys.revoked_at', 'admins.admin_id', 'users.full_name'])
    .select(['admins.role', 'users.is_active', 'users.is_blocked']);
}

type ApiKeyRecord = Awaited<ReturnType<ReturnType<typeof selectApiKeys>['executeTakeFirstOrThrow']>>;

/** Newest first: ids sort by time. */
export async function listApiKeys(db: Kysely<Schema>): Promise<ApiKey[]> {
  const keys = await selectApiKeys(db).orderBy('api_keys.id', 'desc').execute();
  return keys.map(toApiKey);
}

/** Throws not_found. */
export async function getApiKey(db: Kysely<Schema>, id: string): Promise<ApiKey> {
  const key = await selectApiKeys(db).where('api_keys.id', '=', id).executeTakeFirst();
  if (!key) throw new AppError('api_key_not_found');
  return toApiKey(key);
}

/** Whether the issuer is blocked, inactive, or may not issue keys. */
export function isIssuerBarred({
  role,
  is_active: isActive,
  is_blocked: isBlocked,
}: Pick<ApiKeyRecord, 'role' | 'is_active' | 'is_blocked'>): boolean {
  return isBlocked || !isActive || !mayDo(role, 'api-keys.manage');
}

function toApiKey(key: ApiKeyRecord): ApiKey {
  return {
    id: key.id,
    name: key.name,
    ending: key.ending,
    createdAt: key.created_at.toISOString(),
    createdBy: { adminId: key.admin_id, name: key.full_name },
    lastUsedAt: key.last_used_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
    isIssuerBarred: isIssuerBarred(key),
  };
}
