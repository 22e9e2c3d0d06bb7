import { type Kysely, sql } from 'kysely';

/** A credit whose account was closed before the money moved has ended: it is not tried again. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table admin_deposits
    add column ended_at timestamptz,
    add constraint admin_deposits_ended_unmoved check (
      ended_at is null or (transaction_id is null and approval in ('not_needed', 'approved')))`.execute(db);
}
