import { randomUUID } from 'node:crypto';
import type { PayoutException } from '@vuka/contracts/http/reconciliation';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import type { Caller } from '@vuka/service-kit/tokens';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
let admin: Caller;
const started: Transfers[] = [];

beforeEach(async () => {
  transfers = await createTransfers();
  started.push(transfers);
  admin = { ...transfers.merchant(), isAdmin: true, adminId: 'ADM1', name: 'Neema' };
});
afterAll(() => Promise.all(started.map((each) => each.stop())));

/** A transfer on its way, of which the provider says that it paid another amount. */
async function reportedWithAnotherAmount(caller = transfers.merchant()) {
  const { transaction } = await transfers.order(caller);
  await transfers.execute(transaction.id);
  const { id: payoutId } = await transfers.payoutOf(transaction.id);
  const report: PayoutReport = { clientPayoutId: payoutId, state: 'completed', amount: '23031' };
  await transfers.callback(report);
  return { id: transaction.id as string, report };
}

const listed = async (): Promise<PayoutException[]> =>
  (await transfers.send('GET', '/internal/reconciliation', { caller: admin })).body.exceptions;

test('figures that are not ours are one exception, however often and however long the provider tells them', async () => {
  const { report } = await reportedWithAnotherAmount();
  await Promise.all([transfers.callback(report), transfers.callback(report)]);
  transfers.script.status = { kind: 'found', report };
  const first = transfers.clock.now();
  for (let hour = 0; hour < 5; hour += 1) {
    transfers.clock.advance(60 * 60_000);
    await transfers.sweep();
  }
  expect(await listed()).toMatchObject([
    {
      kind: 'different_amount',
      state: 'open',
      createdAt: first.toISOString(),
      lastSeenAt: transfers.clock.now().toISOString(),
    },
  ]);
});

test('exceptions of before, many of one kind, are one after the migration: one that is open and looked after, if any is', async () => {
  const server = await createTestDatabase('transfers');
  const logger = createLogger({ service: 'transfers-test', level: 'silent' });
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'transfers-test', logger });
  const { '0010-one-exception-a-kind': _, ...before } = migrations;
  await migrate(db as never, before, logger);
  const [payout, other] = [randomUUID(), randomUUID()];
  const insert = (money_transfer_id: string, minute: number, of: object = {}) =>
    db
      .insertInto('payout_exceptions')
      .values({
        id: randomUUID(),
        money_transfer_id,
        transaction_id: null,
        kind: 'different_amount',
        details: '{}',
        created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
        ...of,
      } as never)
      .execute();
  const resolved = { state: 'resolved', note: 'it is as it should be', owner: 'Baraka', resolved_at: new Date() };
  await insert(payout, 1, resolved);
  await insert(payout, 2);
  await insert(payout, 3, { owner: 'Neema' });
  await insert(payout, 4);
  await insert(other, 5, resolved);
  await insert(other, 6, resolved);
  await migrate(db as never, migrations, logger);
  const rows = await db.selectFrom('payout_exceptions').selectAll().orderBy('created_at').execute();
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  expect(rows).toMatchObject([
    { money_transfer_id: payout, state: 'open', owner: 'Neema', created_at: at(1), last_seen_at: at(4) },
    { money_transfer_id: other, state: 'resolved', owner: 'Baraka', created_at: at(5), last_seen_at: at(6) },
  ]);
  await close();
  await server.drop();
});
