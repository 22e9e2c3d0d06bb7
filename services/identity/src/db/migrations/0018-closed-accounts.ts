import { type Kysely, sql } from 'kysely';

/**
 * A closed account keeps its row, which payments name, without the person: it has no number. Processes of the previous
 * release treat it as inactive.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table users add column closed_at timestamptz`.execute(db);
  await sql`
    alter table users
      drop constraint users_phone_check,
      add constraint users_phone_check check (
        char_length(phone) between 10 and 15 or (phone = '' and (is_admin or closed_at is not null))),
      add constraint users_closed check (closed_at is null or not is_active)`.execute(db);
  await sql`
    alter table one_time_codes
      drop constraint one_time_codes_purpose_check,
      add constraint one_time_codes_purpose_check check (
        purpose in ('verify_phone', 'verify_email', 'reset_pin', 'close_account'))`.execute(db);
}
