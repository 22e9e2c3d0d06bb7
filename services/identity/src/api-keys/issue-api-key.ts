import { randomBytes } from 'node:crypto';
import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { ApiKey, IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { AppError } from '@vuka/service-kit/app-error';
import { answerOnce, type KeepAnswer } from '@vuka/service-kit/first-answers';
import { uuidv7 } from '@vuka/service-kit/ids';

import { sql } from 'kysely';
import type { Db, Schema, Transaction } from '#db/schema.ts';
import { getApiKey, hashApiKey } from './api-key.store.ts';
import type { RepeatableKeys } from './repeatable-keys.ts';

const MAX_LIVE_KEYS = 50;

export interface IssueApiKeyDeps {
  db: Db;
  now: () => Date;
  repeatableKeys: RepeatableKeys;
}

/**
 * Issues a key and returns it, this one time, or to repeats under the same idempotency key. Throws validation_failed at
 * the maximum number of keys, and idempotency_conflict.
 */
export async function issueApiKey(
  deps: IssueApiKeyDeps,
  name: string,
  { caller, idempotencyKey }: { caller: Caller; idempotencyKey: string | undefined },
): Promise<IssuedApiKey> {
  const id = uuidv7();
  const key = idempotencyKey === undefined ? randomKey() : deps.repeatableKeys.keyOf(id, idempotencyKey);
  const request = { userId: caller.userId, operation: 'API key', key: idempotencyKey, content: { name } };
  const apiKey = await answerOnce<Schema, ApiKey>(deps.db, request, (keep) =>
    insertKey(deps, { id, key, name, caller, keep }),
  );
  if (apiKey.id === id || idempotencyKey === undefined) return { apiKey, key };
  const first = deps.repeatableKeys.keyAgain(apiKey, idempotencyKey);
  if (!first) throw new Error('the secret that the first answer was made with has been removed');
  return { apiKey, key: first };
}

const randomKey = () => `vuka_${randomBytes(32).toString('base64url')}`;

function insertKey(
  deps: IssueApiKeyDeps,
  issued: { id: string; key: string; name: string; caller: Caller; keep: KeepAnswer<Schema, ApiKey> },
): Promise<ApiKey> {
  const { id, key, name, caller, keep } = issued;
  const [ending, now] = [key.slice(-4), deps.now()];
  return deps.db.transaction().execute(async (trx) => {
    await refuseTooMany(trx);
    await trx
      .insertInto('api_keys')
      .values({
        id,
        name,
        ending,
        key_hash: hashApiKey(key),
        created_by: caller.userId,
        created_at: now,
        last_used_at: null,
        revoked_at: null,
      })
      .execute();
    const action: AdminAction = {
      source: '/vuka/identity',
      caller,
      action: 'api-key.issued',
      subject: { kind: 'api-key' as const, id, label: name },
      after: { name, ending },
    };
    await recordAction(trx, action, now);
    const apiKey = await getApiKey(trx, id);
    await keep(trx, apiKey);
    return apiKey;
  });
}

async function refuseTooMany(trx: Transaction): Promise<void> {
  // Serialised, so that the count holds.
  await sql`select pg_advisory_xact_lock(hashtext('api-keys'))`.execute(trx);
  const { live } = await trx
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<string>().as('live'))
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(live) >= MAX_LIVE_KEYS) {
    throw new AppError('api_keys_full', { params: { max: MAX_LIVE_KEYS } });
  }
}
