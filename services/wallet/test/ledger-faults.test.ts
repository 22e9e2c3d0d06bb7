import { randomUUID } from 'node:crypto';
import type { WalletResult } from '@vuka/contracts/internal/wallet';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommitAnswerProxy, type Moment } from './commit-answer-proxy.ts';
import { captureOf, createLedgerHarness, depositFor, holdFor, type LedgerHarness, submit, tally } from './harness.ts';
import { createMemoryLedger } from './memory-ledger.ts';
import { command, fitting } from './random-commands.ts';

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

test('returns the original result of every operation whose commit was never confirmed, 1,000 times', async () => {
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

const MOMENTS: readonly (Moment | undefined)[] = ['before', 'during', 'after', undefined];

test('matches the in-memory rules when the database fails before, during or after any commit', async () => {
  const proxy = await createCommitAnswerProxy(ledger.url);
  const writer = ledger.writer({ url: proxy.url });
  const model = createMemoryLedger();
  const commands = Array.from({ length: 20 }, (_, round) => {
    const drawn = fitting(fc.sample(command, { seed: 20_261_121 + round, numRuns: 30 }));
    // New users and transfers each time, since the few available would soon be used up.
    return JSON.parse(JSON.stringify(drawn).replaceAll('018f0000-', `018f00${10 + round}-`)) as typeof drawn;
  }).flat();
  const applied = { before: 0, during: 0, after: 0, never: 0 };
  for (const [index, each] of commands.entries()) {
    const moment = MOMENTS[index % MOMENTS.length];
    const droppedBefore = proxy.dropped();
    if (moment) proxy.arm(moment);
    const result = await submit(writer, each);
    // A refused operation writes nothing, so nothing is committed.
    proxy.disarm();
    const { result: expected } = model.run(each);
    const label = `operation ${index}, broken ${moment}: ${each.kind} ${each.key}`;
    expect(result.outcome, label).toBe(expected.outcome);
    if (result.outcome === 'rejected')
      expect(result, label).toMatchObject({ reason: (expected as typeof result).reason });
    if (result.outcome !== 'applied' || (expected as typeof result).replayed) continue;
    // Operations whose commit was lost return as replays; the others are applied now for the first time.
    expect(result.replayed, label).toBe(moment === 'after');
    expect(proxy.dropped(), label).toBe(droppedBefore + (moment ? 1 : 0));
    applied[moment ?? 'never'] += 1;
  }
  for (const [moment, count] of Object.entries(applied)) expect(count, moment).toBeGreaterThan(10);
  for (const { code, postedMinor, heldMinor } of model.state.accounts.values()) {
    const { rows } = await ledger.pool.query('select posted_minor, held_minor from accounts where code = $1', [code]);
    if (code.startsWith('wallet:')) expect(rows[0], code).toEqual({ posted_minor: postedMinor, held_minor: heldMinor });
  }
  expect(await ledger.brokenInvariants()).toEqual([]);
  await writer.stop();
  proxy.close();
}, 120_000);

test('loses and duplicates nothing when its connection is terminated repeatedly under load', async () => {
  const writer = ledger.writer();
  const users = Array.from({ length: 50 }, () => randomUUID());
  await Promise.all(users.map((userId) => submit(writer, depositFor(userId, '1000.00'))));
  let terminated = 0;
  /** Terminates the writer's connection during an operation, unless it has finished. */
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

/** Swaps the ids of two accounts, as a server can that lost the commits which opened them. */
async function swapIds(one: string, other: string) {
  const rename = 'update accounts set code = $2, user_id = $3 where code = $1';
  await ledger.pool.query(rename, [`wallet:${one}:KES`, 'wallet:nobody:KES', randomUUID()]);
  await ledger.pool.query(rename, [`wallet:${other}:KES`, `wallet:${one}:KES`, one]);
  await ledger.pool.query(rename, ['wallet:nobody:KES', `wallet:${other}:KES`, other]);
}

test('moves the named wallet’s money when the server returns with other account ids', async () => {
  const proxy = await createTcpProxy(hostOf(ledger.url));
  const writer = ledger.writer({ url: throughPort(ledger.url, proxy.port) });
  const [ann, bob] = [randomUUID(), randomUUID()];
  await submit(writer, depositFor(ann, '1.00'));
  await submit(writer, depositFor(bob, '1.00'));
  proxy.cut();
  await expect.poll(() => writer.isConnected(), { timeout: 5_000 }).toBe(false);
  await swapIds(ann, bob);
  proxy.restore();
  await expect.poll(() => writer.isConnected(), { timeout: 5_000 }).toBe(true);
  expect(await submit(writer, depositFor(ann, '5.00'))).toMatchObject({ outcome: 'applied' });
  expect([await ledger.wallet(ann), await ledger.wallet(bob)]).toMatchObject([
    { posted_minor: 600n },
    { posted_minor: 100n },
  ]);
  await writer.stop();
  await proxy.close();
});

test('writes nothing to an account whose owner has changed, even on the same connection', async () => {
  const writer = ledger.writer();
  const [ann, bob] = [randomUUID(), randomUUID()];
  await submit(writer, depositFor(ann, '1.00'));
  await submit(writer, depositFor(bob, '1.00'));
  await swapIds(ann, bob);
  expect(await submit(writer, depositFor(ann, '5.00'))).toMatchObject({ outcome: 'failed', reason: 'internal' });
  expect(await submit(writer, depositFor(ann, '5.00'))).toMatchObject({ outcome: 'applied' });
  expect([await ledger.wallet(ann), await ledger.wallet(bob)]).toMatchObject([
    { posted_minor: 600n },
    { posted_minor: 100n },
  ]);
});

test('refuses within a second while Postgres is unavailable, at startup or later, and resumes afterwards', async () => {
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

test('refuses operations beyond its queue, and writes those it accepted', async () => {
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

test('reports an unknown outcome when it stops with an unconfirmed batch', async () => {
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
