import { type Kysely, sql } from 'kysely';

/** Which countries can be paid is decided by the table of corridors, in code. The database checks the form of E.164. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table saved_recipients drop constraint saved_recipients_phone_check,
      add constraint saved_recipients_phone_is_e164 check (phone ~ '^[+][1-9][0-9]{7,14}$')`.execute(db);
}
