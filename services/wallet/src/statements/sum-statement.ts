import type { AccountStatements } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { type EntrySums, sumEntries } from './sum-entries.ts';

interface Row {
  account_id: bigint;
  currency: AccountStatements['wallets'][number]['currency'];
  after_seq: bigint;
  upto_seq: bigint;
  opening: bigint;
  closing: bigint;
  held_minor: bigint;
}

/**
 * The opening and closing balance of each of a user's wallets in a period, and the sums in between. Balances come from
 * the chain of entries and sums from the amounts, so that each proves the other. Entries appended meanwhile are in
 * neither.
 */
export async function sumStatement(
  db: Db,
  { userId, from, before }: { userId: string; from: Date; before: Date },
): Promise<AccountStatements> {
  const balanceAt = (seq: RawBuilder<unknown>) => sql`
    coalesce((select balance_after_minor from ledger_entries
      where account_id = accounts.id and account_seq <= ${seq} order by account_seq desc limit 1), 0)`;
  const { rows } = await sql<Row>`
    select accounts.id as account_id, accounts.currency, accounts.held_minor, first.seq as after_seq,
      last.seq as upto_seq, ${balanceAt(sql`first.seq`)} as opening, ${balanceAt(sql`last.seq`)} as closing
    from accounts
      cross join lateral (${lastSeqBefore(from)}) as first
      cross join lateral (${lastSeqBefore(before)}) as last
    where accounts.user_id = ${userId} order by accounts.currency`.execute(db);
  const sums = rows.map((row) =>
    sumEntries(db, { accountId: row.account_id, afterSeq: row.after_seq, uptoSeq: row.upto_seq }),
  );
  const moved = await Promise.all(sums);
  return { wallets: moved.map((sum, index) => toWallet(rows[index] as Row, sum)) };
}

/**
 * The number of the account's last entry before a moment; 0 if there is none. Numbers grow with time, so a binary
 * search finds it in about eighty lookups, however long the chain. Entries appended later change no step, so the
 * boundaries of past periods stay fixed.
 */
function lastSeqBefore(moment: Date): RawBuilder<unknown> {
  return sql`
    with recursive search(bit, seq) as (
      select 40, 0::bigint
      union all
      select bit - 1, case when exists (
          select from (
            select journal_id from ledger_entries
            where account_id = accounts.id and account_seq >= seq + (1::bigint << bit) order by account_seq limit 1
          ) as probe join journals on journals.id = probe.journal_id where journals.created_at < ${moment}
        ) then seq + (1::bigint << bit) else seq end
      from search where bit >= 0
    ) select seq from search where bit < 0`;
}

function toWallet(row: Row, { moneyIn, moneyOut, fees }: EntrySums): AccountStatements['wallets'][number] {
  return {
    currency: row.currency,
    opening: formatMoney(row.opening),
    moneyIn: formatMoney(moneyIn),
    moneyOut: formatMoney(moneyOut - fees),
    fees: formatMoney(fees),
    closing: formatMoney(row.closing),
    held: formatMoney(row.held_minor),
    range: {
      accountId: String(row.account_id),
      afterSeq: String(row.after_seq),
      uptoSeq: String(row.upto_seq),
    },
  };
}
