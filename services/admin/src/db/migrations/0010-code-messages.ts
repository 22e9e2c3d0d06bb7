import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table notifications add column has_code boolean not null default false`.execute(db);
}
