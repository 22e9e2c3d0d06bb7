import { type Kysely, sql } from 'kysely';

/** The sum of one administrator's movements in a day, including deposits in USD. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table settings
    add column credit_approval_limit_usd numeric(12, 0) not null default 75000 check (credit_approval_limit_usd >= 0)
  `.execute(db);
  await sql`
    create index admin_deposits_alone on admin_deposits (admin_user_id, currency, created_at)
    where approval = 'not_needed'`.execute(db);
}
