import { addSealedColumn } from '@vuka/service-kit/sealed-rows';
import type { Kysely } from 'kysely';

/**
 * Bodies are encrypted. Processes of the previous release cannot read that, so it has a column of its own; they show such
 * a call without its bodies. The index takes a while on a large table; calls wait in the queue meanwhile.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await addSealedColumn(db, 'integration_logs');
}
