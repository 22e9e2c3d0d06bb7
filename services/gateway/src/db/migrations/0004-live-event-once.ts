import { type Kysely, sql } from 'kysely';

/** A message that arrives twice makes its events once. Null in events of earlier releases. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table live_events add column message_id uuid`.execute(db);
  await sql`create unique index live_events_once on live_events (message_id, user_id)`.execute(db);
}
