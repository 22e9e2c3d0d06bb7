import { type Kysely, sql } from 'kysely';

/**
 * Administrators created without a number got +254700000000, a real subscriber's number: money sent there went to them.
 * They now have none. Processes of the previous release may still write the number for a new administrator.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table users
      drop constraint users_phone_check,
      add constraint users_phone_check check (char_length(phone) between 10 and 15 or (phone = '' and is_admin))`.execute(
    db,
  );
  await sql`
    update users set phone = '', phone_e164 = null where is_admin and phone_e164 = '+254700000000'`.execute(db);
}
