import { randomUUID } from 'node:crypto';
import type { BalancesChanged } from '@vuka/contracts/messages/wallet';
import { readMessages } from '@vuka/service-kit/outbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  captureOf,
  createLedgerHarness,
  depositFor,
  holdFor,
  type LedgerHarness,
  releaseOf,
  submit,
  tally,
} from './harness.ts';

let ledger: LedgerHarness;
beforeAll(async () => {
  ledger = await createLedgerHarness('writer');
});
afterAll(() => ledger.stop());

test('writes a deposit, a hold and a conversion so that every invariant holds', async () => {
  const writer = ledger.writer();
  const userId = randomUUID();
  const hold = holdFor(userId, '60.00');
  const capture = { ...captureOf(hold), fee: '1.00' };
  for (const command of [depositFor(userId, '100.00'), hold, capture]) {
    expect(await submit(writer, command)).toMatchObject({ outcome: 'applied', replayed: false });
  }
  expect(await ledger.wallet(userId)).toEqual({ posted_minor: 4000n, held_minor: 0n });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test('a payment from the bank leaves the float with the provider as it is, and repeats one booked as a payout', async () => {
  const writer = ledger.writer();
  const balanceOf = async (code: string): Promise<bigint> => {
    const { rows } = await ledger.pool.query(
      'select coalesce(sum(amount_minor), 0)::text as sum from ledger_entries join accounts on accounts.id = account_id where code = $1',
      [code],
    );
    return BigInt(rows[0].sum);
  };
  const both = async () => [await balanceOf('payout-clearing:TZS'), await balanceOf('funding:TZS')] as const;
  const [clearing, funding] = await both();
  const hold = holdFor(randomUUID(), '60.00');
  const asPayout = captureOf(hold);
  const fromBank = { ...asPayout, destination: { kind: 'payout', isFromBank: true } } as const;
  for (const command of [depositFor(hold.userId, '100.00'), hold, fromBank])
    expect(await submit(writer, command)).toMatchObject({ outcome: 'applied' });
  const paid = BigInt(fromBank.target.amount.replace('.', ''));
  expect(await both()).toEqual([clearing, funding + paid]);
  // A release that knew only payouts may have made the first request.
  expect(await submit(writer, asPayout)).toMatchObject({ outcome: 'applied', replayed: true });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test('decides a full sequence in one batch, each operation on the state after the previous one', async () => {
  const writer = ledger.writer();
  const userId = randomUUID();
  const hold = holdFor(userId, '60.00');
  const commands = [depositFor(userId, '100.00'), hold, captureOf(hold), releaseOf(hold), holdFor(userId, '40.01')];
  const results = await Promise.all(commands.map((command) => submit(writer, command)));
  expect(tally(results)).toEqual({ applied: 3, 'rejected hold_not_open': 1, 'rejected insufficient_funds': 1 });
  expect(await ledger.wallet(userId)).toEqual({ posted_minor: 4000n, held_minor: 0n });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test('publishes one message per commit, with each wallet’s available balance after each change', async () => {
  const writer = ledger.writer();
  const userId = randomUUID();
  const before = await ledger.count('outbox');
  const commands = [depositFor(userId, '100.00'), holdFor(userId, '60.00')];
  await Promise.all(commands.map((command) => submit(writer, command)));
  const { rows } = await ledger.pool.query('select pack_id, messages from outbox order by id offset $1', [before]);
  const messages = rows.flatMap((row) => readMessages(row.messages));
  const changes = messages.flatMap(({ envelope }) => (envelope.data as BalancesChanged).changes);
  expect(changes).toMatchObject(
    commands.map(({ transferId }, index) => ({
      userId,
      currency: 'KES',
      transferId,
      available: ['100.00', '40.00'][index],
    })),
  );
  expect(messages[0]).toMatchObject({
    routingKey: 'wallet.balances-changed.v1',
    exchange: 'vuka.events',
    envelope: { id: rows[0].pack_id },
  });
});

test('returns one effect and 199 replays for one key sent 200 times to two writers', async () => {
  const writers = [ledger.writer(), ledger.writer()];
  const userId = randomUUID();
  await submit(writers[0]!, depositFor(userId, '100.00'));
  const hold = holdFor(userId, '1.00');
  const results = await Promise.all(Array.from({ length: 200 }, (_, n) => submit(writers[n % 2]!, hold)));
  expect(tally(results)).toEqual({ applied: 1, 'applied again': 199 });
  expect(new Set(results.map((result) => 'journalId' in result && result.journalId)).size).toBe(1);
  expect(await submit(writers[1]!, { ...hold, amount: '2.00' })).toMatchObject({
    outcome: 'rejected',
    reason: 'key_reused',
  });
  expect(await ledger.wallet(userId)).toEqual({ posted_minor: 10000n, held_minor: 100n });
});

test('accepts exactly 100 of 500 parallel holds on a wallet that fits 100', async () => {
  const writers = [ledger.writer(), ledger.writer()];
  const userId = randomUUID();
  await submit(writers[0]!, depositFor(userId, '100.00'));
  const results = await Promise.all(
    Array.from({ length: 500 }, (_, n) => submit(writers[n % 2]!, holdFor(userId, '1.00'))),
  );
  expect(tally(results)).toEqual({ applied: 100, 'rejected insufficient_funds': 400 });
  expect(await ledger.wallet(userId)).toEqual({ posted_minor: 10000n, held_minor: 10000n });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test('lets exactly one of capture, release and expiry end each of 10,000 holds', async () => {
  const writers = [ledger.writer(), ledger.writer()];
  const userId = randomUUID();
  await submit(writers[0]!, depositFor(userId, '10000.00'));
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < 20; round += 1) {
    const holds = Array.from({ length: 500 }, () => holdFor(userId, '1.00'));
    await Promise.all(holds.map((hold) => submit(writers[0]!, hold)));
    const contenders = holds.flatMap((hold, n) => {
      const ends = [captureOf(hold), releaseOf(hold), { ...releaseOf(hold), key: `${hold.key}:expired` }];
      return ends.map((end, m) => ({ end, writer: writers[(n + m) % 2]!, order: Math.random() }));
    });
    contenders.sort((a, b) => a.order - b.order);
    const results = await Promise.all(contenders.map(({ end, writer }) => submit(writer, end)));
    for (const [name, count] of Object.entries(tally(results))) outcomes[name] = (outcomes[name] ?? 0) + count;
  }
  expect(outcomes).toEqual({ applied: 10_000, 'rejected hold_not_open': 20_000 });
  expect((await ledger.wallet(userId)).held_minor).toBe(0n);
  expect(await ledger.brokenInvariants()).toEqual([]);
}, 60_000);

test('writes a full batch except the operation that Postgres cannot store', async () => {
  const writer = ledger.writer();
  const users = Array.from({ length: 499 }, () => randomUUID());
  const poison = { ...depositFor(randomUUID(), '1.00'), description: 'no text: \u0000' };
  const commands = users.map((userId) => depositFor(userId, '1.00'));
  commands.splice(123, 0, poison);
  const results = await Promise.all(commands.map((command) => submit(writer, command)));
  expect(results[123]).toEqual({ outcome: 'failed', reason: 'internal', retryAfterSeconds: 5 });
  expect(tally(results)).toEqual({ applied: 499, 'failed internal': 1 });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test('keeps two writers on opposite accounts free of anomalies, beside a client that locks in another order', async () => {
  const writers = [ledger.writer(), ledger.writer()];
  const users = Array.from({ length: 20 }, () => randomUUID());
  await Promise.all(users.map((userId) => submit(writers[0]!, depositFor(userId, '1000.00'))));
  let isOver = false;
  async function lockWithoutOrder() {
    while (!isOver) {
      const client = await ledger.pool.connect();
      try {
        await client.query('begin');
        for (const userId of [...users].sort(() => Math.random() - 0.5).slice(0, 5)) {
          await client.query('select 1 from accounts where code = $1 for update', [`wallet:${userId}:KES`]);
        }
      } catch {
        // Postgres may break the deadlock on this side.
      } finally {
        await client.query('rollback');
        client.release();
      }
    }
  }
  const locking = lockWithoutOrder();
  const transfers = Array.from({ length: 1_500 }, (_, n) => ({
    hold: holdFor(users[n % 20]!, '10.00'),
    writer: writers[n % 2]!,
  }));
  const results = await Promise.all(
    transfers.flatMap(({ hold, writer }) => [
      submit(writer, hold),
      submit(writer, hold).then(() => submit(writer, captureOf(hold))),
    ]),
  );
  isOver = true;
  await locking;
  expect(tally(results)).toEqual({ applied: 3_000 });
  expect(await ledger.brokenInvariants()).toEqual([]);
}, 60_000);

test('gives the lease to one writer at a time, and to the next once the first is gone', async () => {
  const [first, second] = [ledger.writer(), ledger.writer()];
  await submit(first, depositFor(randomUUID(), '1.00'));
  await submit(second, depositFor(randomUUID(), '1.00'));
  await expect.poll(() => first.takeLease()).toBe(true);
  expect(await second.takeLease()).toBe(false);
  await first.stop();
  await expect.poll(() => second.takeLease()).toBe(true);
});
