import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireHolds } from '#holds/expire-holds.ts';
import { captureOf, createLedgerHarness, depositFor, holdFor, type LedgerHarness, submit } from './harness.ts';

let ledger: LedgerHarness;
beforeAll(async () => {
  ledger = await createLedgerHarness('expiry');
});
afterAll(() => ledger.stop());

const ago = () => new Date(Date.now() - 1_000).toISOString();
const ahead = () => new Date(Date.now() + 60_000).toISOString();

test('releases each expired hold once and no other holds', async () => {
  const writer = ledger.writer();
  const userId = randomUUID();
  await submit(writer, depositFor(userId, '1000.00'));
  const lasting = [holdFor(userId, '1.00'), { ...holdFor(userId, '2.00'), expiresAt: ahead() }];
  const over = Array.from({ length: 450 }, () => ({ ...holdFor(userId, '1.00'), expiresAt: ago() }));
  await Promise.all([...lasting, ...over].map((hold) => submit(writer, hold)));
  expect(await expireHolds({ db: ledger.db, writer })).toBe(450);
  expect(await ledger.wallet(userId)).toEqual({ posted_minor: 100_000n, held_minor: 300n });
  expect(await expireHolds({ db: ledger.db, writer })).toBe(0);
  expect(await submit(writer, captureOf(over[0]!))).toMatchObject({ outcome: 'rejected', reason: 'hold_not_open' });
  expect(await submit(writer, captureOf(lasting[0]!))).toMatchObject({ outcome: 'applied' });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test('leaves expiry to the active writer', async () => {
  const active = ledger.writer();
  await expect.poll(() => active.isConnected()).toBe(true);
  const userId = randomUUID();
  await submit(active, depositFor(userId, '1.00'));
  await submit(active, { ...holdFor(userId, '1.00'), expiresAt: ago() });
  const second = { submit: active.submit, takeLease: async () => false };
  expect(await expireHolds({ db: ledger.db, writer: second })).toBe(0);
  expect((await ledger.wallet(userId)).held_minor).toBe(100n);
});
