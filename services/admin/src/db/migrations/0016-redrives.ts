import { type Kysely, sql } from 'kysely';

/** Redrives of dead messages, which go on after a restart. One at a time per queue. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table redrives (
      id uuid primary key,
      queue text not null,
      type text not null,
      died_of text not null,
      died_before timestamptz,
      per_second int not null check (per_second > 0),
      matching int not null,
      moved int not null default 0,
      caller jsonb not null,
      reason text not null,
      started_at timestamptz not null,
      due_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db);
  await sql`create unique index redrives_running on redrives (queue) where ended_at is null`.execute(db);
  await sql`create index redrives_started on redrives (started_at)`.execute(db);
}
