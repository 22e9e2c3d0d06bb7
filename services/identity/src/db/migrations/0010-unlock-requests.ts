import { type Kysely, sql } from 'kysely';

/** Who asked for the lock of an administrator to be taken off: it takes two. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table unlock_requests (
      user_id uuid primary key references users (id),
      requested_by uuid not null references users (id),
      requested_at timestamptz not null,
      check (user_id <> requested_by)
    )`.execute(db);
}
