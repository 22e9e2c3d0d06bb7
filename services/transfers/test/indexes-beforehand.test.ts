import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as transfersToPhone from '#db/migrations/0021-transfers-to-phone.ts';
import * as payoutsUpdated from '#db/migrations/0023-payouts-updated.ts';
import * as bankReferences from '#db/migrations/0025-bank-references.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';

/** What the release notes tell operators to run before the upgrade. */
const BEFOREHAND = [
  `create index concurrently transactions_to_phone on transactions (recipient_phone, id desc)
     where recipient_phone is not null and not is_open`,
  'create index concurrently money_transfers_updated on money_transfers using brin (updated_at)',
  'drop index concurrently money_transfers_created',
  'alter table withdrawals add column has_own_reference boolean',
  `create unique index concurrently withdrawals_bank_references
     on withdrawals (currency, upper(provider_reference_id), has_own_reference) where provider_id = 'bank'`,
];
const UNDER_TEST = [transfersToPhone, payoutsUpdated, bankReferences];

test('with the indexes created beforehand, the upgrade locks out no writer of transfers and payouts', async () => {
  const server = await createTestDatabase('transfers');
  const logger = createLogger({ service: 'transfers-test', level: 'silent' });
  const { db, pool, close } = createDatabase<Schema>({ url: server.url, service: 'transfers-test', logger });
  await migrate(db as never, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0021')), logger);
  for (const statement of BEFOREHAND) await pool.query(statement);
  await db.transaction().execute(async (trx) => {
    for (const { up } of UNDER_TEST) await up(trx as never);
    const { rows } = await sql<{ lock: string }>`
      select relation::regclass || ' ' || mode as lock from pg_locks
      where pid = pg_backend_pid() and mode <> 'AccessShareLock'
        and relation in ('transactions'::regclass, 'money_transfers'::regclass, 'withdrawals'::regclass)`.execute(trx);
    // To add a column takes a moment, however large the table is.
    expect(rows).toEqual([{ lock: 'withdrawals AccessExclusiveLock' }]);
  });
  await close();
  await server.drop();
});
