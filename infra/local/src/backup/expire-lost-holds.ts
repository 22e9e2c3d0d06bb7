import type pg from 'pg';
import { withDatabase } from '#with-database.ts';

/**
 * Expires open holds whose transfers are missing from the books. The acceptance of such a transfer was among the lost
 * commits, and a call in flight made its hold afterwards, so no capture or release will follow. The wallet returns the
 * money when it next looks for expired holds. Returns the number of holds.
 */
export async function expireLostHolds(serverUrl: string, databasePrefix: string): Promise<number> {
  return withDatabase(serverUrl, `${databasePrefix}_wallet`, async (wallet) => {
    const { rows } = await wallet.query<{ transfer: string }>(
      `select distinct transfer_id as transfer from holds where state = 'open'`,
    );
    const open = rows.map(({ transfer }) => transfer);
    const known = await withDatabase(serverUrl, `${databasePrefix}_transfers`, (transfers) =>
      findKnown(transfers, open),
    );
    const lost = open.filter((id) => !known.has(id));
    const { rowCount } = await wallet.query(
      `update holds set expires_at = now() where state = 'open' and transfer_id = any($1::uuid[])`,
      [lost],
    );
    return rowCount ?? 0;
  });
}

async function findKnown(transfers: pg.Client, ids: string[]): Promise<Set<string>> {
  const { rows } = await transfers.query<{ id: string }>('select id from transactions where id = any($1::uuid[])', [
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}
