import type pg from 'pg';
import { withDatabase } from './later-facts.ts';

/**
 * Lets open holds expire whose transfers the books do not have. Such a transfer was accepted before the books lost their
 * last commits, and its hold was made afterwards, by a call that was still under way: no capture or release will follow.
 * The wallet gives the money back when it next looks for expired holds. Returns how many holds there were.
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
