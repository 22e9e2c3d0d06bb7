import { addSealedColumn } from '@vuka/service-kit/sealed-rows';
import { type Kysely, sql } from 'kysely';

/**
 * The network address and browser of a session and the name of a saved recipient are encrypted. Processes of the previous
 * release cannot read that, so it has a column of its own: they show such a session without them, and the number
 * instead of the name. The name that they write is in clear text, and replaces the encrypted one.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await addSealedColumn(db, 'sessions');
  await addSealedColumn(db, 'saved_recipients');
  await sql`
    create function unseal_renamed_recipient() returns trigger language plpgsql as $$
    begin
      new.sealed := null;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger saved_recipients_renamed before update on saved_recipients for each row
    when (new.label <> new.phone and new.sealed is not distinct from old.sealed)
    execute function unseal_renamed_recipient()`.execute(db);
}
