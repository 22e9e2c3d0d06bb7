import type { AccountEntries } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

type Entry = AccountEntries['entries'][number];

interface EntryRow {
  account_id: bigint;
  account_seq: bigint;
  journal_id: bigint;
  kind: Entry['kind'];
  transfer_id: string;
  currency: Entry['currency'];
  amount_minor: bigint;
  balance_after_minor: bigint;
  created_at: Date;
}

/** A user's entries in all currencies, newest first. Each account is read from its end, so the first page is cheap. */
export async function listEntries(
  db: Db,
  { userId, limit, cursor }: { userId: string; limit: number; cursor?: string | undefined },
): Promise<AccountEntries> {
  const before = cursor
    ? sql`and (e.journal_id, e.account_id, e.account_seq) < (${sql.join(cursor.split('-'))})`
    : sql``;
  const { rows } = await sql<EntryRow>`
    select entry.*, journals.kind, journals.transfer_id, journals.created_at
    from accounts
      cross join lateral (
        select * from ledger_entries as e where e.account_id = accounts.id ${before}
        order by e.account_seq desc limit ${limit + 1}
      ) as entry
      join journals on journals.id = entry.journal_id
    where accounts.user_id = ${userId}
    order by entry.journal_id desc, entry.account_id desc, entry.account_seq desc
    limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = rows.length > limit && last ? `${last.journal_id}-${last.account_id}-${last.account_seq}` : null;
  return { entries: page.map(toEntry), nextCursor };
}

function toEntry(row: EntryRow): Entry {
  return {
    journalId: row.journal_id.toString(),
    kind: row.kind,
    transferId: row.transfer_id,
    currency: row.currency,
    amount: formatMoney(row.amount_minor),
    balanceAfter: formatMoney(row.balance_after_minor),
    createdAt: row.created_at.toISOString(),
  };
}
