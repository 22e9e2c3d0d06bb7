import { addSealedColumn } from '@vuka/service-kit/sealed-rows';
import { type Kysely, sql } from 'kysely';

/**
 * Recipient, subject, text and error of a message are encrypted. Processes of the previous release cannot read that, so it
 * has a column of its own, and such a message is due by `due_at`, which they do not know: they neither send nor change
 * it, and list it without recipient and text. What they write in clear text is encrypted once it was sent.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await addSealedColumn(db, 'notifications');
  await sql`alter table notifications add column due_at timestamptz`.execute(db);
  await sql`
    create index notifications_due_now on notifications (coalesce(due_at, next_attempt_at))
    where status = 'pending'`.execute(db);
}
