import { type Kysely, sql } from 'kysely';

/** The first of the two requests that unlock an administrator. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table unlock_requests (
      user_id uuid primary key references users (id),
      requested_by uuid not null references users (id),
      requested_at timestamptz not null,
      check (user_id <> requested_by)
    )`.execute(db);
}
