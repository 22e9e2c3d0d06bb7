import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table settings
    add column withdrawal_approval_limit_kes numeric(12, 0) not null default 100000
      check (withdrawal_approval_limit_kes >= 0),
    add column withdrawal_approval_limit_tzs numeric(12, 0) not null default 2000000
      check (withdrawal_approval_limit_tzs >= 0)`.execute(db);
}
