import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { depositsMade } from '#deposits/deposits.routes.ts';
import { findNotifications } from '#notifications/notifications.routes.ts';

const logger = createLogger({ service: 'admin-test', level: 'silent' });
const server = await createTestDatabase('list-indexes');
const { db, close } = createDatabase<Schema>({ url: server.url, service: 'admin-test', logger });
afterAll(async () => {
  await close();
  await server.drop();
});

beforeAll(async () => {
  await migrate(db as never, migrations, logger);
  await sql`
    insert into notifications (id, event_id, user_id, channel, recipient, body, status, created_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'sms', '', '',
      case when n % 1000 = 0 then 'failed' else 'sent' end, now()
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into admin_deposits (id, admin_id, admin_user_id, idempotency_key, kind, beneficiary_user_id, beneficiary_id,
      amount, currency, reason, reference, transaction_id, created_at)
    select gen_random_uuid(), 'ADM1', gen_random_uuid(), n, case when n % 1000 = 0 then 'deposit' else 'credit' end,
      gen_random_uuid(), 'MER1', 1, 'KES', 'Float', n, gen_random_uuid(), now() - n * interval '1 minute'
    from generate_series(1, 20000) n`.execute(db);
  await sql`analyze notifications, admin_deposits`.execute(db);
});

async function planOf(query: { explain(format: 'text'): Promise<Record<string, unknown>[]> }): Promise<string> {
  return (await query.explain('text')).map((line) => Object.values(line)[0]).join('\n');
}

test('the few messages that were not delivered are found without reading all messages', async () => {
  const plan = await planOf(findNotifications(db, { status: 'failed' }));
  expect(plan).toContain('notifications_unsent');
  expect(plan).not.toContain('Seq Scan');
});

test('the few deposits are listed and counted without reading the credits to merchants', async () => {
  const listed = depositsMade(db).selectAll().orderBy('created_at', 'desc').limit(500);
  const counted = depositsMade(db)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('created_at', '>=', new Date(Date.now() - 86_400_000));
  for (const plan of [await planOf(listed), await planOf(counted)]) expect(plan).toContain('admin_deposits_made');
});
