import { randomBytes } from 'node:crypto';
import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';

import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import { getApiKey, hashApiKey } from './api-key.store.ts';

const MAX_LIVE_KEYS = 50;

/** Issues a key and returns it, this one time. Throws validation_failed at the maximum number of keys. */
export async function issueApiKey(
  deps: { db: Db; now: () => Date },
  caller: Caller,
  name: string,
): Promise<IssuedApiKey> {
  const key = `vuka_${randomBytes(32).toString('base64url')}`;
  const [id, ending, now] = [uuidv7(), key.slice(-4), deps.now()];
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
    return { apiKey: await getApiKey(trx, id), key };
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
