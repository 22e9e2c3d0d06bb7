import type { Caller } from '@vuka/access/caller';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { historyOf } from '#history/list-transfers.ts';
import { readSearch } from '#history/search.domain.ts';
import { payoutsOf } from '#payouts/payout.store.ts';
import { noteOf } from '#saga/step.ts';
import { stuckTransfers } from '#saga/stuck-transfers.ts';
import { moveAll } from '#saga/transition.store.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

const dayMs = 86_400_000;

async function list(caller: Caller, query: Record<string, string> = {}) {
  return transfers.send('GET', `/internal/transfers?${new URLSearchParams(query)}`, { caller });
}

async function idsOf(caller: Caller, query: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await list(caller, query);
  expect(status).toBe(200);
  return body.items.map((item: { id: string }) => item.id);
}

/** An order moved to a given day, with its final status. */
async function made(caller: Caller, order: Parameters<Transfers['order']>[1], status?: string): Promise<string> {
  transfers.clock.advance(dayMs);
  const { transaction } = await transfers.order(caller, order);
  if (status) {
    await sql`update transactions set status = ${status}, is_open = ${status === 'PROCESSING'}
      where id = ${transaction.id}`.execute(transfers.db);
  }
  return transaction.id;
}

test('the history is filtered by status, direction, days, phone, amount and id, and by several at once', async () => {
  const amina = transfers.merchant();
  transfers.fakes.balances.set(amina.userId, 10_000_000_00n);
  const start = transfers.clock.now();
  const settled = await made(amina, {}, 'SETTLED');
  const failed = await made(amina, { recipientPhone: '+255713456089' }, 'FAILED');
  const toKenya = await made(
    amina,
    { direction: 'TZS_TO_KES', sourceAmount: '350000', targetAmount: '14596', recipientPhone: '+254722000111' },
    'SETTLED',
  );
  const processing = await made(amina, { sourceAmount: '2500.50', targetAmount: '57587' }, 'PROCESSING');
  const pending = await made(amina, {});
  const day = (count: number) => new Date(start.getTime() + count * dayMs).toISOString();

  expect(await idsOf(amina)).toEqual([pending, processing, toKenya, failed, settled]);
  expect(await idsOf(amina, { status: 'SETTLED' })).toEqual([toKenya, settled]);
  expect(await idsOf(amina, { status: 'FAILED' })).toEqual([failed]);
  expect(await idsOf(amina, { status: 'PROCESSING' })).toEqual([processing]);
  expect(await idsOf(amina, { status: 'PENDING' })).toEqual([pending]);
  expect(await idsOf(amina, { status: 'CANCELLED' })).toEqual([]);
  expect(await idsOf(amina, { direction: 'TZS_TO_KES' })).toEqual([toKenya]);
  expect(await idsOf(amina, { from: day(2), before: day(4) })).toEqual([toKenya, failed]);
  expect(await idsOf(amina, { q: '0713 456' })).toEqual([failed]);
  expect(await idsOf(amina, { q: '+254722000111' })).toEqual([toKenya]);
  expect(await idsOf(amina, { q: '2,501' })).toEqual([processing]);
  expect(await idsOf(amina, { q: '14596 KES' })).toEqual([toKenya]);
  expect(await idsOf(amina, { q: failed })).toEqual([failed]);
  expect(await idsOf(amina, { q: failed.slice(0, 23).toUpperCase() })).toEqual([failed]);
  expect(await idsOf(amina, { q: '999999' })).toEqual([]);
  expect(await idsOf(amina, { status: 'SETTLED', direction: 'KES_TO_TZS', from: day(1), q: '1000' })).toEqual([
    settled,
  ]);
});

test('a filtered list continues after the last page', async () => {
  const amina = transfers.merchant();
  const settled: string[] = [];
  for (let count = 0; count < 5; count++) {
    settled.unshift(await made(amina, {}, 'SETTLED'));
    await made(amina, {}, 'FAILED');
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await list(amina, { status: 'SETTLED', limit: '2', ...(cursor ? { cursor } : {}) });
    expect(body.items.length).toBeLessThanOrEqual(2);
    seen.push(...body.items.map((item: { id: string }) => item.id));
    cursor = body.nextCursor;
  } while (cursor);
  expect(seen).toEqual(settled);
});

test('a filter finds only the user’s own transfers, and incoming ones only when settled', async () => {
  const [amina, juma] = [transfers.merchant(), transfers.merchant()];
  const arrived = await made(amina, { recipientPhone: '+255754000001' });
  const refused = await made(amina, { recipientPhone: '+255754000001' });
  for (const [id, status] of [
    [arrived, 'SETTLED'],
    [refused, 'FAILED'],
  ]) {
    await sql`update transactions set recipient_user_id = ${juma.userId}, status = ${status}, is_open = false
      where id = ${id}`.execute(transfers.db);
  }
  expect(await idsOf(juma)).toEqual([arrived]);
  expect(await idsOf(juma, { status: 'SETTLED', q: '754000001' })).toEqual([arrived]);
  expect(await idsOf(juma, { status: 'FAILED' })).toEqual([]);
  expect(await idsOf(juma, { q: refused })).toEqual([]);
});

test.each([
  [{ status: 'DONE' }, 'Status must be PENDING, PROCESSING, SETTLED, FAILED or CANCELLED'],
  [{ direction: 'KES' }, 'Direction must be KES_TO_TZS or TZS_TO_KES'],
  [{ q: "%' or 1=1" }, 'Search for a transaction ID, a phone number or an amount'],
  [{ q: '7'.repeat(41) }, 'Search for a transaction ID, a phone number or an amount'],
  [{ limit: '201' }, 'limit must be a whole number from 1 to 200'],
  [{ cursor: 'x' }, 'Invalid cursor'],
])('%j is refused with a sentence', async (query, sentence) => {
  const { status, body } = await list(transfers.merchant(), query as Record<string, string>);
  expect([status, body.error]).toEqual([400, sentence]);
});

test('with 20,000 transfers, a filter that finds little reads only the index', async () => {
  const { userId } = transfers.merchant();
  await sql`
    insert into transactions (id, user_id, recipient_phone, transaction_type, client_transaction_id, request_hash,
      direction, source_amount, source_currency, target_amount, target_currency, mid_amount, status, step, is_open,
      created_at, updated_at)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + n), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid,
      case when n % 2 = 0 then ${userId}::uuid else gen_random_uuid() end, '+25571' || lpad(n::text, 7, '0'), 'transfer',
      n::text, '', 'KES_TO_TZS', 100000, 'KES', 2303000, 'TZS', 2350000,
      case n % 10000 when 0 then 'FAILED' else 'SETTLED' end, 'settled', false, now(), now()
    from generate_series(1, 40000) as n`.execute(transfers.db);
  await sql`vacuum analyze transactions`.execute(transfers.db);
  const queries = [
    [{ limit: 30, status: 'FAILED' }, 'Index Only Scan using transactions_not_paid'],
    [{ limit: 30, status: 'PENDING' }, 'Index Scan using transactions_open'],
    [{ limit: 30, direction: 'TZS_TO_KES' }, 'Index Only Scan using transactions_history'],
    [{ limit: 30, search: readSearch('0710019998') }, 'Index Only Scan using transactions_history'],
    [{ limit: 30, search: readSearch('31337') }, 'Index Only Scan using transactions_history'],
    [{ limit: 30 }, 'Index Only Scan using transactions_history'],
  ] as const;
  for (const [query, scan] of queries) {
    const explained = sql<{ 'QUERY PLAN': string }>`explain (analyze, timing off) ${historyOf(userId, query)}`;
    const { rows } = await explained.execute(transfers.db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(scan);
    expect(plan).not.toMatch(/Seq Scan on transactions|Heap Fetches: [1-9]\d{2}/);
  }
  const { rows } = await historyOf(userId, { limit: 30, status: 'FAILED' }).execute(transfers.db);
  expect(rows).toHaveLength(4);
});

test('with 20,000 payouts, a transfer’s payout is found by the index', async () => {
  await sql`
    insert into money_transfers (id, user_id, transaction_id, provider, description, destination_account, amount,
      currency, request_body, state, is_alive, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'scripted', '', '255763456700', 100, 'TZS',
      '', 'completed', false, now(), now() from generate_series(1, 20000)`.execute(transfers.db);
  await sql`analyze money_transfers`.execute(transfers.db);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${payoutsOf([crypto.randomUUID()])}`.execute(
    transfers.db,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('payouts_of_transfer');
});

const insertEnded = (count: number) =>
  sql`
    insert into transactions (id, user_id, transaction_type, client_transaction_id, request_hash, source_amount,
      source_currency, target_amount, target_currency, mid_amount, status, step, is_open, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), 'transfer', n::text, '', 1, 'KES', 1, 'KES', 1, 'SETTLED', 'settled', false,
      now(), now()
    from generate_series(1, ${count}::int) as n`.execute(transfers.db);

test('with 20,000 ended transfers, a step finds its own by their ids, although a single other one is open', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  await insertEnded(20_000);
  await sql`vacuum analyze transactions`.execute(transfers.db);
  const note = noteOf(await transfers.transfer(transaction.id), new Date(), {});
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain ${moveAll([note], { packId: crypto.randomUUID(), messages: [] })}`.execute(transfers.db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Scan using transactions_pkey on transactions t .*\n\s+Index Cond: \(id = /);
});

test('with 20,000 ended transfers, stuck ones are found by the index of open transfers, by a plan for any parameters', async () => {
  await insertEnded(20_000);
  await sql`vacuum analyze transactions`.execute(transfers.db);
  const { sql: text, parameters } = stuckTransfers(transfers.db, 900_000)
    .select('id')
    .orderBy('id')
    .limit(500)
    .compile();
  const literals = parameters.map((value) => `'${value}'`);
  const client = await transfers.pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare stuck as ${text}`);
    const { rows } = await client.query(`explain execute stuck (${literals.join(', ')})`);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('using transactions_open');
  } finally {
    client.release(true);
  }
});

test('a merchant’s volume of each of the last thirty days is what their settled transfers sent', async () => {
  const amina = transfers.merchant();
  transfers.fakes.balances.set(amina.userId, 10_000_000_00n);
  await made(amina, { sourceAmount: '900', targetAmount: '20727' }, 'SETTLED');
  transfers.clock.advance(dayMs * 28);
  await made(amina, { sourceAmount: '2500.50', targetAmount: '57587' }, 'SETTLED');
  await made(amina, {}, 'FAILED');
  await made(
    amina,
    { direction: 'TZS_TO_KES', sourceAmount: '350000', targetAmount: '14596', recipientPhone: '+254722000111' },
    'SETTLED',
  );
  const another = transfers.merchant();
  const admin = { ...another, isAdmin: true, role: 'owner' as const };
  const { body } = await transfers.send('GET', `/internal/users/${amina.userId}/volumes`, { caller: admin });
  expect(body.days).toHaveLength(30);
  expect(body.days.at(-1).day).toBe(
    new Date(transfers.clock.now().getTime() + 3 * 3_600_000).toISOString().slice(0, 10),
  );
  expect(body.days.map(({ sent }: { sent: object }) => sent).slice(-3)).toEqual([
    { KES: '2500.50', TZS: '0.00' },
    { KES: '0.00', TZS: '0.00' },
    { KES: '0.00', TZS: '350000.00' },
  ]);
  expect(body.days.slice(0, -3).every(({ sent }: { sent: { KES: string } }) => sent.KES === '0.00')).toBe(true);
});
