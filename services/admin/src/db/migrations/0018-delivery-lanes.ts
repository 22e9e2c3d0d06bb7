import { createIndex } from '@vuka/service-kit/create-index';
import { type Kysely, sql } from 'kysely';

/**
 * Finds the due messages of a channel, with or without a code, past a backlog of the others. Processes of the previous
 * release still claim by `notifications_due_now`.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const definition = sql`
    create index notifications_due_in_lane
    on notifications (channel, has_code, coalesce(due_at, next_attempt_at)) where status = 'pending'`;
  await createIndex(db, 'notifications_due_in_lane', definition);
}
