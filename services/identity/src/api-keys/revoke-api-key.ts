import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { ApiKey } from '@vuka/contracts/http/api-keys';

import type { Db } from '#db/schema.ts';
import { getApiKey } from './api-key.store.ts';

/** Revokes a key at once. A repeat changes nothing. Throws not_found. */
export async function revokeApiKey(deps: { db: Db; now: () => Date }, caller: Caller, id: string): Promise<ApiKey> {
  return deps.db.transaction().execute(async (trx) => {
    const now = deps.now();
    const revoked = await trx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(['name', 'ending'])
      .executeTakeFirst();
    if (revoked) {
      const { name, ending } = revoked;
      const action: AdminAction = {
        source: '/vuka/identity',
        caller,
        action: 'api-key.revoked',
        subject: { kind: 'api-key' as const, id, label: name },
        before: { ending, revokedAt: null },
        after: { ending, revokedAt: now.toISOString() },
      };
      await recordAction(trx, action, now);
    }
    return getApiKey(trx, id);
  });
}
