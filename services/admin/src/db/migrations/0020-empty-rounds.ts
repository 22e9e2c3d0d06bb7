import { type Kysely, sql } from 'kysely';

/** How often in a row a redrive has found nothing to move. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table redrives add column if not exists empty_rounds int not null default 0`.execute(db);
}
