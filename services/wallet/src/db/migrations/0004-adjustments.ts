import { type Kysely, sql } from 'kysely';

/** A new kind of journal. `not valid` spares the check of old rows, which the narrower constraint has checked. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table journals
    drop constraint journals_kind_check,
    add constraint journals_kind_check
      check (kind in ('hold', 'capture', 'release', 'deposit', 'adjustment')) not valid`.execute(db);
}
