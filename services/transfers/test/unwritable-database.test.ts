import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

/** Also what a client of a demoted primary sees. Every connection begins anew. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const client = await transfers.pool.connect();
  await client.query('set default_transaction_read_only = off');
  const { rows } = await client.query('select current_database() as name');
  await client.query(`alter database ${rows[0].name} set default_transaction_read_only = ${isReadOnly}`);
  await client
    .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
    .catch(() => undefined);
  client.release(true);
}

test('while the database accepts no writes, orders are unavailable and accepted ones go on afterwards', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  await setReadOnly(true);
  expect(await transfers.order(transfers.merchant())).toMatchObject({ ok: false, code: 'unavailable' });
  await expect(transfers.execute(transaction.id)).rejects.toThrow();
  await setReadOnly(false);
  await transfers.execute(transaction.id);
  expect((await transfers.payoutOf(transaction.id)).state).toBe('accepted');
  expect(await transfers.order(transfers.merchant())).toMatchObject({ ok: true });
});
