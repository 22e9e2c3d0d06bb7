import { noteText } from '@vuka/contracts/texts/transfer-notes';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { evolve, statusReasonOf } from '#saga/transfer.domain.ts';
import { stateOf } from '#saga/transfer-state.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers?.stop());

const PAYOUT_FAILED = 'The mobile network refused this transfer. Your money is being returned.';
const DECLINED = 'Not approved: too much at once';

test('transfers failing under the previous release keep their reason through the migration and to the end', async () => {
  const server = await createTestDatabase('transfers');
  const logger = createLogger({ service: 'transfers-test', level: 'silent' });
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'transfers-test', logger });
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0012'));
  await migrate(db as never, before, logger);
  const texts = [PAYOUT_FAILED, DECLINED];
  for (const [index, text] of texts.entries()) {
    await sql`
      insert into transactions (id, user_id, transaction_type, client_transaction_id, request_hash, source_amount,
        source_currency, target_amount, target_currency, fee, mid_amount, status, step, error_code, error_message,
        metadata, created_at, updated_at)
      values (gen_random_uuid(), gen_random_uuid(), 'transfer', ${`old-${index}`}, '\\x00', 100, 'KES', 2300, 'TZS', 0, 2350,
        'PROCESSING', 'releasing', 'CODE', ${text}, '{}', now(), now())`.execute(db);
  }
  await migrate(db as never, migrations, logger);
  const rows = await db.selectFrom('transactions').selectAll().orderBy('client_transaction_id').execute();
  expect(rows.map((row) => statusReasonOf(stateOf(row)))).toEqual(texts);
  expect(rows.map((row) => statusReasonOf(evolve(stateOf(row), { type: 'released' })))).toEqual([
    'The mobile network refused this transfer. Your money is back in your wallet.',
    DECLINED,
  ]);
  await close();
  await server.drop();
});

test('a failure is stored as a value, and the sender reads what happens to the money', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  transfers.script.submit = {
    kind: 'rejected',
    failure: { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' },
  };
  await transfers.execute(transaction.id);
  expect(await transfers.transfer(transaction.id)).toMatchObject({
    step: 'failed',
    failure: {
      kind: 'payout_failed',
      code: 'RECIPIENT_NOT_FOUND',
      reason: 'The mobile network does not know this number.',
      note: [{ code: 'number_unknown' }],
    },
    error_code: 'RECIPIENT_NOT_FOUND',
    error_message: 'The mobile network does not know this number. Your money is back in your wallet.',
  });
});

test('the timeline and the status carry the codes of their English, except for entries of earlier releases', async () => {
  const merchant = transfers.merchant();
  const { transaction } = await transfers.order(merchant);
  transfers.script.submit = { kind: 'rejected', failure: { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' } };
  await transfers.execute(transaction.id);
  const read = async (path = '') =>
    (await transfers.send('GET', `/internal/transfers/${transaction.id}${path}`, { caller: merchant })).body;
  const { timeline } = await read('/timeline');
  const codes = timeline.map((row: { codes: { code: string }[] }) => row.codes.map(({ code }) => code));
  expect(codes).toEqual([
    ['transfer_received'],
    ['reserved_for_network'],
    ['number_unknown', 'money_returning'],
    ['released'],
  ]);
  for (const row of timeline) expect(noteText(row.codes)).toBe(row.notes);
  const { status_reason: reason, status_reason_codes: reasonCodes } = (await read()).transaction;
  expect(reasonCodes).toEqual([{ code: 'number_unknown' }, { code: 'money_returned' }]);
  expect(noteText(reasonCodes)).toBe(reason);

  const { db } = transfers;
  await sql`update transaction_lifecycle set codes = null where transaction_id = ${transaction.id}`.execute(db);
  const [received] = (await read('/timeline')).timeline;
  expect(received).toEqual({ status: 'PENDING', notes: 'Transfer received.', timestamp: expect.any(String) });
});
