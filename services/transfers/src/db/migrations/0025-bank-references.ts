import { createIndex } from '@vuka/service-kit/create-index';
import { type Kysely, sql } from 'kysely';

/**
 * A bank's reference completes one withdrawal. The index lets only those with `has_own_reference` conflict: the release
 * before leaves it null and may repeat a reference, as may withdrawals from before.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table withdrawals add column if not exists has_own_reference boolean`.execute(db);
  const definition = sql`
    create unique index withdrawals_bank_references
      on withdrawals (currency, upper(provider_reference_id), has_own_reference) where provider_id = 'bank'`;
  await createIndex(db, 'withdrawals_bank_references', definition);
}
