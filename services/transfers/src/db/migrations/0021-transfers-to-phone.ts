import { createIndex } from '@vuka/service-kit/create-index';
import { type Kysely, sql } from 'kysely';

/**
 * Answers which transfers went to a phone number. Like the indexes of the history it holds ended transfers, whose
 * columns no longer change: a transfer is entered once, when it ends. Open ones are few and have their own index.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const definition = sql`
    create index transactions_to_phone on transactions (recipient_phone, id desc)
    where recipient_phone is not null and not is_open`;
  await createIndex(db, 'transactions_to_phone', definition);
}
