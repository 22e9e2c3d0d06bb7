import { type Kysely, sql } from 'kysely';

/** Who asked for a code: a device of the account, or the network of a stranger. Empty where it does not matter. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table one_time_codes add column asked_from text not null default ''`.execute(db);
}
