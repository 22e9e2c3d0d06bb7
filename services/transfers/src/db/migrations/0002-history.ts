import { type Kysely, sql } from 'kysely';

/**
 * Indexes that cover every filter of the history, so that a filter reads only the rows it returns. None of their
 * columns changes before a transfer ends: `ended_as` is null until then, and the update that ends a transfer changes
 * the index of open transfers in any case.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table transactions
    add column ended_as text generated always as (case when is_open then null else status end) stored`.execute(db);
  await sql`
    create index transactions_history on transactions (user_id, id desc)
    include (recipient_phone, source_amount, target_amount, direction, ended_as)`.execute(db);
  await sql`
    create index transactions_received on transactions (recipient_user_id, id desc)
    include (recipient_phone, source_amount, target_amount, direction)
    where recipient_user_id is not null and ended_as = 'SETTLED'`.execute(db);
  await sql`
    create index transactions_not_paid on transactions (user_id, id desc)
    include (recipient_phone, source_amount, target_amount, direction, ended_as)
    where ended_as in ('FAILED', 'CANCELLED')`.execute(db);
  await sql`drop index transactions_of_user`.execute(db);
  await sql`drop index transactions_of_recipient`.execute(db);
}
