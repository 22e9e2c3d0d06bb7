import { type Kysely, sql } from 'kysely';

/**
 * A provider's repeated report, by callback, inquiry or statement, belongs to the same exception. Of existing
 * duplicates, keeps an open one first, then one with an owner; resolved ones remain on the audit trail.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table payout_exceptions add column last_seen_at timestamptz`.execute(db);
  await sql`
    with ranked as (
      select id, min(created_at) over same as first_seen, max(created_at) over same as last_seen,
        row_number() over (partition by money_transfer_id, kind
          order by state = 'open' desc, owner is not null desc, created_at, id) as place
      from payout_exceptions window same as (partition by money_transfer_id, kind)
    ), gone as (
      delete from payout_exceptions using ranked where payout_exceptions.id = ranked.id and place > 1
    )
    update payout_exceptions set created_at = first_seen, last_seen_at = last_seen
    from ranked where payout_exceptions.id = ranked.id and place = 1`.execute(db);
  // Processes of the previous version keep running during this migration and do not set this column.
  await sql`
    alter table payout_exceptions alter column last_seen_at set not null, alter column last_seen_at set default now()
  `.execute(db);
  await sql`create unique index payout_exceptions_once on payout_exceptions (money_transfer_id, kind)`.execute(db);
  await sql`drop index payout_exceptions_of_statement`.execute(db);
}
