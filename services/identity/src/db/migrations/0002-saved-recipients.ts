import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table saved_recipients (
      user_id uuid not null references users (id),
      phone text not null check (phone ~ '^[+]25[45][1-9][0-9]{8}$'),
      label text not null check (char_length(label) between 1 and 40),
      created_at timestamptz not null default now(),
      primary key (user_id, phone)
    )`.execute(db);
}
