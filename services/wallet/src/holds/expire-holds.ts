import type { WalletCurrency } from '@vuka/money/corridors';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import type { LedgerWriter } from '#ledger/ledger-writer.ts';
import { toOperation } from '#ledger/operation.ts';

const BATCH = 200;

interface ExpiredHold {
  key: string;
  transfer_id: string;
  user_id: string;
  currency: WalletCurrency;
}

/**
 * Releases holds that have expired by the database's clock, through the writer like every other change. Only the active
 * writer does this; a second one would change nothing, since a hold ends only once. Returns the number released.
 * Finding none is cheap even with many open holds, because the index skips holds without an expiry.
 */
export async function expireHolds(deps: {
  db: Db;
  writer: Pick<LedgerWriter, 'submit' | 'takeLease'>;
}): Promise<number> {
  if (!(await deps.writer.takeLease())) return 0;
  for (let released = 0; ; ) {
    const expired = await findExpired(deps.db);
    const results = await Promise.all(
      expired.map((hold) =>
        deps.writer.submit(
          toOperation({
            kind: 'release',
            key: `${hold.key}:expired`,
            transferId: hold.transfer_id,
            holdKey: hold.key,
            userId: hold.user_id,
            currency: hold.currency,
            reason: 'expired',
          }),
        ),
      ),
    );
    const applied = results.filter((result) => result.outcome === 'applied').length;
    released += applied;
    if (expired.length < BATCH || applied === 0) return released;
  }
}

async function findExpired(db: Db): Promise<ExpiredHold[]> {
  const { rows } = await sql<ExpiredHold>`
    select journals.key, holds.transfer_id, accounts.user_id, accounts.currency
    from holds
      join journals on journals.id = holds.id
      join accounts on accounts.id = holds.account_id
    where holds.state = 'open' and holds.expires_at <= now() and accounts.frozen_at is null
    limit ${BATCH}`.execute(db);
  return rows;
}
