import { randomUUID } from 'node:crypto';
import type { WalletResult } from '@vuka/contracts/internal/wallet';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommitAnswerProxy } from './commit-answer-proxy.ts';
import { captureOf, createLedgerHarness, depositFor, holdFor, type LedgerHarness, submit, tally } from './harness.ts';

let ledger: LedgerHarness;
beforeAll(async () => {
  ledger = await createLedgerHarness('faults');
});
afterAll(() => ledger.stop());

function hostOf(url: string) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 5432) };
}

function throughPort(url: string, port: number) {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.toString();
}

test('returns the original result of every operation whose commit was never answered, 1,000 times', async () => {
  const proxy = await createCommitAnswerProxy(ledger.url);
  const writer = ledger.writer({ url: proxy.url });
  const userId = randomUUID();
  await submit(writer, depositFor(userId, '1000000.00'));
  const journalsBefore = await ledger.count('journals');
  const entriesBefore = await ledger.count('ledger_entries');
  for (let round = 0; round < 500; round += 1) {
    const hold = holdFor(userId, '1.00');
    proxy.arm();
    expect(await submit(writer, hold)).toMatchObject({ outcome: 'applied', replayed: true });
    proxy.arm();
    expect(await submit(writer, captureOf(hold))).toMatchObject({ outcome: 'applied', replayed: true });
  }
  expect(proxy.dropped()).toBe(1_000);
  expect(await ledger.count('journals')).toBe(journalsBefore + 1_000);
  expect(await ledger.count('ledger_entries')).toBe(entriesBefore + 500 * 5);
  expect(await ledger.wallet(userId)).toEqual({ posted_minor: 100_000_000n - 50_000n, held_minor: 0n });
  expect(await ledger.brokenInvariants()).toEqual([]);
  await writer.stop();
  proxy.close();
}, 300_000);

test('loses and doubles nothing when its connection is terminated again and again under load', async () => {
  const writer = ledger.writer();
  const users = Array.from({ length: 50 }, () => randomUUID());
  await Promise.all(users.map((userId) => submit(writer, depositFor(userId, '1000.00'))));
  let terminated = 0;
  /** Terminates the writer in the middle of something, unless it was done before. */
  async function terminateOnce(isDone: () => boolean) {
    for (let hit = 0; hit === 0 && !isDone(); terminated += hit) {
      const { rowCount } = await ledger.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'wallet-writer' and datname = current_database() and state <> 'idle'`,
      );
      hit = rowCount ?? 0;
    }
  }
  const results: WalletResult[] = [];
  for (let rounds = 0; terminated < 30 && rounds < 500; rounds += 1) {
    const holds = users.map((userId) => holdFor(userId, '0.10'));
    let isDone = false;
    const terminating = terminateOnce(() => isDone);
    results.push(...(await Promise.all(holds.map((hold) => submit(writer, hold)))));
    results.push(...(await Promise.all(holds.map((hold) => submit(writer, captureOf(hold))))));
    isDone = true;
    await terminating;
  }
  expect(terminated).toBeGreaterThanOrEqual(30);
  expect(results.every((result) => result.outcome === 'applied')).toBe(true);
  const spent = BigInt((results.length / 2 / users.length) * 10);
  for (const userId of users) {
    expect(await ledger.wallet(userId)).toEqual({ posted_minor: 100_000n - spent, held_minor: 0n });
  }
  expect(await ledger.brokenInvariants()).toEqual([]);
}, 60_000);

test('refuses within a second while Postgres is away, at the start and in the middle, and goes on when it is back', async () => {
  const proxy = await createTcpProxy(hostOf(ledger.url));
  proxy.cut();
  const writer = ledger.writer({ url: throughPort(ledger.url, proxy.port), limits: { maxAgeMs: 250 } });
  const userId = randomUUID();
  const deposit = depositFor(userId, '1.00');
  const refused = { outcome: 'failed', reason: 'overloaded', retryAfterSeconds: 1 };
  for (let outage = 0; outage < 2; outage += 1) {
    const startedMs = performance.now();
    expect(await submit(writer, deposit)).toEqual(refused);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(writer.isConnected()).toBe(false);
    proxy.restore();
    await expect.poll(() => writer.isConnected(), { timeout: 5_000 }).toBe(true);
    expect(await submit(writer, depositFor(userId, '1.00'))).toMatchObject({ outcome: 'applied', replayed: false });
    proxy.cut();
    await expect.poll(() => writer.isConnected(), { timeout: 5_000 }).toBe(false);
  }
  expect((await ledger.wallet(userId)).posted_minor).toBe(200n);
  await writer.stop();
  await proxy.close();
});

test('refuses what does not fit its queue, and writes what it took', async () => {
  const proxy = await createTcpProxy(hostOf(ledger.url));
  const writer = ledger.writer({
    url: throughPort(ledger.url, proxy.port),
    limits: { maxAgeMs: 20_000, maxQueued: 2_000 },
  });
  const userId = randomUUID();
  await submit(writer, depositFor(userId, '1.00'));
  proxy.pause();
  const submitted = Array.from({ length: 3_000 }, () => submit(writer, depositFor(userId, '1.00')));
  expect(writer.queued()).toBeLessThanOrEqual(2_000);
  proxy.restore();
  const outcomes = tally(await Promise.all(submitted));
  expect(outcomes['failed overloaded']).toBeGreaterThanOrEqual(500);
  expect((await ledger.wallet(userId)).posted_minor).toBe(BigInt(((outcomes.applied ?? 0) + 1) * 100));
  await writer.stop();
  await proxy.close();
});

test('says that the outcome is unknown when it stops with a batch that the database never answered', async () => {
  const proxy = await createTcpProxy(hostOf(ledger.url));
  const writer = ledger.writer({ url: throughPort(ledger.url, proxy.port) });
  await submit(writer, depositFor(randomUUID(), '1.00'));
  proxy.pause();
  const unanswered = submit(writer, depositFor(randomUUID(), '1.00'));
  const expected = expect(unanswered).rejects.toMatchObject({ code: 'unavailable' });
  await writer.stop();
  await expected;
  await proxy.close();
});
