import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query } from '#postgres-node.ts';
import type { PostgresPair } from '#postgres-pair.ts';
import { type BreakablePostgres, startPostgres } from '#servers.ts';

let postgres: BreakablePostgres;
let pair: PostgresPair;
const START_MS = 120_000;

beforeAll(async () => {
  postgres = await startPostgres({ hasStandby: true });
  pair = postgres.pair as PostgresPair;
  await query(postgres.url, 'create table kept (number int primary key)');
}, START_MS);

afterAll(() => postgres.stop());

/** Commits one number after the other at the pair's address; returns those that were acknowledged when stopped. */
function keepCommitting() {
  const stopping = new AbortController();
  const acknowledged: number[] = [];
  const committing = (async () => {
    for (let number = Math.floor(Math.random() * 1e8); !stopping.signal.aborted; number += 1) {
      const text = `insert into kept values (${number})`;
      const isCommitted = await query(postgres.url, text).then(
        () => true,
        () => false,
      );
      if (isCommitted) acknowledged.push(number);
      await delay(5);
    }
  })();
  return {
    acknowledged,
    async stop() {
      stopping.abort();
      await committing;
    },
  };
}

async function missing(acknowledged: readonly number[]): Promise<number[]> {
  const rows = await query<{ number: number }>(postgres.url, 'select number from kept');
  const kept = new Set(rows.map(({ number }) => number));
  return acknowledged.filter((number) => !kept.has(number));
}

test.each([
  ['the primary is lost', 'failOver'],
  ['the two change places', 'switchOver'],
] as const)('nothing that was acknowledged is missing after %s, twice', { timeout: START_MS }, async (_, how) => {
  for (let times = 0; times < 2; times += 1) {
    const [before, load] = [pair.primary(), keepCommitting()];
    await delay(300);
    await pair[how]();
    expect(pair.primary()).not.toBe(before);
    const sofar = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length, { timeout: 10_000 }).toBeGreaterThan(sofar);
    if (how === 'failOver') await pair.rebuildStandby();
    await pair.untilSynchronous();
    await load.stop();
    expect(await missing(load.acknowledged)).toEqual([]);
  }
});

test('while the standby is unreachable no commit is acknowledged', { timeout: START_MS }, async () => {
  pair.replication.cut();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const committing = client.query('insert into kept values (-1)').then(() => 'acknowledged');
  expect(await Promise.race([committing, delay(1_500, 'waiting')])).toBe('waiting');
  pair.replication.restore();
  expect(await committing).toBe('acknowledged');
  await client.end();
});
