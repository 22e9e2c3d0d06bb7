import type { EntryRange, StatementEntries } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

/** The fees account of the wallet's currency. */
const feesAccount = sql`(select id from accounts as fees where fees.code = 'fees:' || accounts.currency)`;

type Entry = StatementEntries['entries'][number];

interface Row {
  account_id: bigint;
  account_seq: bigint;
  kind: Entry['kind'];
  transfer_id: string;
  currency: Entry['currency'];
  amount_minor: bigint;
  fee_minor: bigint;
  balance_after_minor: bigint;
  created_at: Date;
}

/** The oldest entries of the ranges, across the user's accounts in journal order, and the remaining ranges. */
export async function listStatementEntries(
  db: Db,
  { userId, ranges, limit }: { userId: string; ranges: EntryRange[]; limit: number },
): Promise<StatementEntries> {
  const { rows } = await sql<Row>`
    select entry.*, journals.kind, journals.transfer_id, journals.created_at, case when entry.amount_minor > 0 then 0
      else coalesce((select sum(amount_minor)::bigint from ledger_entries
        where journal_id = entry.journal_id and account_id = ${feesAccount}), 0) end as fee_minor
    from json_to_recordset(${JSON.stringify(ranges)})
        as asked("accountId" bigint, "afterSeq" bigint, "uptoSeq" bigint)
      join accounts on accounts.id = asked."accountId" and accounts.user_id = ${userId}
      cross join lateral (
        select * from ledger_entries as e
        where e.account_id = accounts.id and e.account_seq > asked."afterSeq" and e.account_seq <= asked."uptoSeq"
        order by e.account_seq limit ${limit + 1}
      ) as entry
      join journals on journals.id = entry.journal_id
    order by entry.journal_id, entry.account_id, entry.account_seq limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  return { entries: page.map(toEntry), next: rows.length > limit ? leftOf(ranges, page) : null };
}

function leftOf(ranges: EntryRange[], seen: Row[]): EntryRange[] {
  const lastSeen = new Map(seen.map((row) => [String(row.account_id), String(row.account_seq)]));
  return ranges.map((range) => ({ ...range, afterSeq: lastSeen.get(range.accountId) ?? range.afterSeq }));
}

function toEntry(row: Row): Entry {
  return {
    kind: row.kind,
    transferId: row.transfer_id,
    currency: row.currency,
    amount: formatMoney(row.amount_minor),
    fee: formatMoney(BigInt(row.fee_minor)),
    balanceAfter: formatMoney(row.balance_after_minor),
    createdAt: row.created_at.toISOString(),
  };
}
