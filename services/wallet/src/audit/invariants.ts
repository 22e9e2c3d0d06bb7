import { LEDGER_INVARIANTS } from '@vuka/contracts/texts/ledger-invariants';
import { type RawBuilder, sql } from 'kysely';

/** The number of rows checked, the number that violate, and the accounts concerned. */
export interface Finding {
  checked: bigint;
  violations: bigint;
  /** Ids. pg returns an array of int8 as text. */
  accounts: string[];
}

export interface Invariant {
  id: keyof typeof LEDGER_INVARIANTS;
  statement: string;
}

/** A range of journal ids, in batch order. */
export interface JournalRange {
  after: bigint;
  upTo: bigint;
}

/** Invariants of history, which grows without limit: checked in ranges, each in its own statement. */
export const OF_HISTORY: readonly (Invariant & { query(range: JournalRange): RawBuilder<Finding> })[] = [
  {
    id: 'I1',
    statement: LEDGER_INVARIANTS.I1,
    query: ({ after, upTo }) => sql<Finding>`
      with sums as (
        select journal_id, sum(amount_minor) as total from ledger_entries
        where journal_id > ${after} and journal_id <= ${upTo} group by journal_id, currency
      ), bad as (select distinct journal_id from sums where total <> 0)
      select (select count(*) from sums) as checked, (select count(*) from bad) as violations,
        array(select distinct account_id from ledger_entries where journal_id in (select journal_id from bad)) as accounts`,
  },
  {
    id: 'I5',
    statement: LEDGER_INVARIANTS.I5,
    query: ({ after, upTo }) => sql<Finding>`
      with bad as (
        select entry.account_id from ledger_entries as entry
          left join ledger_entries as previous
            on previous.account_id = entry.account_id and previous.account_seq = entry.account_seq - 1
        where entry.journal_id > ${after} and entry.journal_id <= ${upTo}
          and (entry.balance_after_minor <> coalesce(previous.balance_after_minor, 0) + entry.amount_minor
            or (entry.account_seq = 1) <> (previous.account_id is null))
      )
      select (select count(*) from ledger_entries where journal_id > ${after} and journal_id <= ${upTo}) as checked,
        count(*) as violations, coalesce(array_agg(distinct account_id), '{}') as accounts from bad`,
  },
  {
    id: 'I6',
    statement: LEDGER_INVARIANTS.I6,
    query: ({ after, upTo }) => sql<Finding>`
      with bad as (
        select holds.account_id from journals left join holds on holds.id = journals.hold_id
        where journals.id > ${after} and journals.id <= ${upTo} and journals.rejection is null and (
          (kind = 'hold' and (holds.id is null or holds.id <> journals.id))
          or (kind = 'capture' and (holds.state is distinct from 'captured' or holds.resolved_by <> journals.id))
          or (kind = 'release' and (holds.state is distinct from 'released' or holds.resolved_by <> journals.id))
          or (kind in ('capture', 'deposit', 'adjustment')
            and not exists (select 1 from ledger_entries where journal_id = journals.id))
          or (kind = 'deposit' and not exists (select 1 from deposits where journal_id = journals.id)))
        union all
        select entry.account_id from ledger_entries as entry left join journals on journals.id = entry.journal_id
        where entry.journal_id > ${after} and entry.journal_id <= ${upTo}
          and (journals.id is null or journals.rejection is not null or journals.kind not in ('capture', 'deposit', 'adjustment'))
      )
      select (select count(*) from journals where id > ${after} and id <= ${upTo}) as checked, count(*) as violations,
        coalesce(array_agg(distinct account_id) filter (where account_id is not null), '{}') as accounts from bad`,
  },
  {
    id: 'I7',
    statement: LEDGER_INVARIANTS.I7,
    query: ({ after, upTo }) => sql<Finding>`
      select count(*) as checked,
        count(*) filter (where exists (
          select 1 from journals as other where other.key = journals.key and other.id <> journals.id)) as violations,
        '{}'::bigint[] as accounts
      from journals where id > ${after} and id <= ${upTo}`,
  },
];

/**
 * Invariants of the current state: compared with itself, so one snapshot is needed. Work grows with the number of
 * accounts.
 */
export const OF_BALANCES: readonly (Invariant & { query: RawBuilder<Finding> })[] = [
  {
    id: 'I2',
    statement: LEDGER_INVARIANTS.I2,
    // The last entry's balance replaces the sum: the chain from the account's first entry (I5) has already been
    // checked.
    query: sql<Finding>`
      with bad as (
        select accounts.id from accounts
          left join lateral (
            select balance_after_minor, account_seq from ledger_entries where account_id = accounts.id
            order by account_seq desc limit 1
          ) as last on true
        where accounts.posted_minor <> coalesce(last.balance_after_minor, 0)
          or accounts.seq <> coalesce(last.account_seq, 0)
      )
      select (select count(*) from accounts) as checked, count(*) as violations,
        coalesce(array_agg(id), '{}') as accounts from bad`,
  },
  {
    id: 'I3',
    statement: LEDGER_INVARIANTS.I3,
    query: sql<Finding>`
      with open as (
        select account_id, sum(amount_minor) as total from holds where state = 'open' group by account_id
      ), bad as (
        select coalesce(accounts.id, open.account_id) as id
        from accounts full join open on open.account_id = accounts.id
        where coalesce(accounts.held_minor, 0) <> coalesce(open.total, 0)
      )
      select (select count(*) from accounts) as checked, count(*) as violations,
        coalesce(array_agg(id), '{}') as accounts from bad`,
  },
  {
    id: 'I4',
    statement: LEDGER_INVARIANTS.I4,
    query: sql<Finding>`
      select count(*) as checked, count(*) filter (where posted_minor - held_minor < floor_minor) as violations,
        coalesce(array_agg(id) filter (where posted_minor - held_minor < floor_minor), '{}') as accounts
      from accounts where user_id is not null`,
  },
  {
    id: 'I8',
    statement: LEDGER_INVARIANTS.I8,
    query: sql<Finding>`
      with sums as (select currency, sum(posted_minor) as total from accounts group by currency)
      select count(*) as checked, count(*) filter (where total <> 0) as violations, '{}'::bigint[] as accounts from sums`,
  },
];

/** An invariant of messages, not of money: it fails while the broker is unavailable, and the ledger is still right. */
export const OF_MESSAGES: Invariant & { query: RawBuilder<Finding> } = {
  id: 'I10',
  statement: LEDGER_INVARIANTS.I10,
  query: sql<Finding>`
    select count(*) as checked,
      count(*) filter (where created_at < now() - interval '1 minute') as violations, '{}'::bigint[] as accounts
    from outbox where published_at is null`,
};
