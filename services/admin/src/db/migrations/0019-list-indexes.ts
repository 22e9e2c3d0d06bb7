import { createIndex } from '@vuka/service-kit/create-index';
import { type Kysely, sql } from 'kysely';

/**
 * Finds the few messages that were not sent among all, and the few deposits in the register, which also has every credit
 * to a merchant.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const unsent = sql`
    create index notifications_unsent
    on notifications (status, id) where status in ('failed', 'kept')`;
  await createIndex(db, 'notifications_unsent', unsent);
  const made = sql`
    create index admin_deposits_made
    on admin_deposits (created_at) where kind = 'deposit' and approval in ('not_needed', 'approved')`;
  await createIndex(db, 'admin_deposits_made', made);
}
