import { type Kysely, sql } from 'kysely';

/** What one administrator moves in a day is added up, deposits in USD too. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table settings
    add column credit_approval_limit_usd numeric(12, 0) not null default 75000 check (credit_approval_limit_usd >= 0)
  `.execute(db);
  await sql`
    create index admin_deposits_alone on admin_deposits (admin_user_id, currency, created_at)
    where approval = 'not_needed'`.execute(db);
}
