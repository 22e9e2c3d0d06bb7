import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Db, Schema } from '#db/schema.ts';
import { findPaidUnder } from '#withdrawals/withdrawal.store.ts';

/** A withdrawal as the previous release writes it. */
const insertPaid = (db: Db, reference: string) =>
  sql`
    insert into withdrawals (transaction_id, user_id, owner_name, linked_account_id, description, status, amount, currency,
      recipient_account, recipient_name, requires_approval, provider_id, provider_reference_id, created_at, updated_at)
    select gen_random_uuid(), user_id, 'Amina Otieno', id, 'Withdrawal', 'completed', 100, 'KES', '0123456789',
      'Amina Otieno', true, 'bank', ${reference}, now(), now() from linked_accounts`.execute(db);

test('one reference of two withdrawals stops neither the migration nor the previous release, and completes no third', async () => {
  const server = await createTestDatabase('transfers');
  const logger = createLogger({ service: 'transfers-test', level: 'silent' });
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'transfers-test', logger });
  await migrate(db as never, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0025')), logger);
  await sql`
    insert into linked_accounts (id, user_id, account_type, account_name, currency, created_at, updated_at)
    values (gen_random_uuid(), gen_random_uuid(), 'bank', 'Amina Otieno', 'KES', now(), now())`.execute(db);
  await insertPaid(db, 'FT1');
  await insertPaid(db, 'FT1');
  await migrate(db as never, migrations, logger);
  await insertPaid(db, 'ft1');
  expect(await findPaidUnder(db, { currency: 'KES', reference: 'Ft1' })).toBeDefined();
  expect(await findPaidUnder(db, { currency: 'TZS', reference: 'FT1' })).toBeUndefined();
  await close();
  await server.drop();
});
