import { type Kysely, sql } from 'kysely';

/**
 * Finds the few messages that were not sent among all, and the few deposits in the register, which also has every credit
 * to a merchant.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index if not exists notifications_unsent
    on notifications (status, id) where status in ('failed', 'kept')`.execute(db);
  await sql`
    create index if not exists admin_deposits_made
    on admin_deposits (created_at) where kind = 'deposit' and approval in ('not_needed', 'approved')`.execute(db);
}
