import { setReadOnly } from '@vuka/test-kit/read-only';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

test('while the database accepts no writes, orders are unavailable and accepted ones go on afterwards', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  await setReadOnly(transfers.pool, true);
  expect(await transfers.order(transfers.merchant())).toMatchObject({ ok: false, code: 'unavailable' });
  await expect(transfers.execute(transaction.id)).rejects.toThrow();
  await setReadOnly(transfers.pool, false);
  await transfers.execute(transaction.id);
  expect((await transfers.payoutOf(transaction.id)).state).toBe('accepted');
  expect(await transfers.order(transfers.merchant())).toMatchObject({ ok: true });
});
