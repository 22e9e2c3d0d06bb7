import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { type Booked, readBooked, readPaid } from './booked.ts';
import type { Accepted, Payee } from './steady-load.ts';

/** A direct connection to a service's database, which no proxy of the test can cut. */
export async function openBooks(serverUrl: string, databasePrefix: string, service = 'transfers'): Promise<pg.Client> {
  const url = new URL(serverUrl);
  url.pathname = `/${databasePrefix}_${service}`;
  const books = new pg.Client({ connectionString: url.toString() });
  await books.connect();
  return books;
}

/** Waits until this many orders are accepted and delivered to the worker, but not begun. */
export async function untilInHand(books: pg.Client, count: number): Promise<void> {
  const inHand = `select 1 from transactions t
    join outbox o on strpos(o.messages, '"routingKey":"transfer.execute.v1"') > 0 and strpos(o.messages, t.id::text) > 0
    where t.step = 'created' and o.published_at is not null`;
  await until(async () => ((await books.query(inHand)).rowCount ?? 0) >= count, { everyMs: 20 });
}

/** Waits until this many payouts have been begun, and the provider has not answered their requests. */
export async function untilAskingProvider(books: pg.Client, count: number): Promise<void> {
  const asking = `select 1 from money_transfers where state = 'submitting'`;
  await until(async () => ((await books.query(asking)).rowCount ?? 0) >= count, { everyMs: 20 });
}

const END: Record<Payee, string> = { phone: 'SETTLED', merchant: 'SETTLED', 'unknown phone': 'FAILED' };

/**
 * Waits until every transfer has ended, then compares accepted orders, our books, and the network's actual payments,
 * transfer by transfer. Returns the sum that each user sent and that merchants received, in minor units.
 */
export async function expectFairEnds(
  books: pg.Client,
  accepted: readonly Pick<Accepted, 'id' | 'userId' | 'payee'>[],
  options: { simulatorPort: number; timeoutMs: number },
): Promise<{ sent: Map<string, bigint>; received: bigint }> {
  await untilEnded(books, options.timeoutMs);
  const rows = await readBooked(books);
  expect(rows.map(({ id }) => id).sort()).toEqual(accepted.map(({ id }) => id).sort());
  const booked = new Map(rows.map((row) => [row.id, row]));
  const paid = await readPaid(options.simulatorPort);
  const sent = new Map<string, bigint>();
  let received = 0n;
  let paidOut = 0;
  for (const { id, userId, payee } of accepted) {
    const row = booked.get(id) as Booked;
    const times = row.payouts.reduce((sum, payout) => sum + (paid.get(payout) ?? 0), 0);
    paidOut += times;
    expect({ id, payee, status: row.status, endings: row.endings, paid: times, payments: row.payments }).toEqual({
      id,
      payee,
      status: END[payee],
      endings: 1,
      paid: payee === 'phone' ? 1 : 0,
      payments: payee === 'merchant' ? 1 : 0,
    });
    if (payee === 'merchant') received += BigInt(row.target_amount);
    if (END[payee] === 'SETTLED') sent.set(userId, (sent.get(userId) ?? 0n) + BigInt(row.source_amount));
  }
  // The network paid nothing that no transfer of ours requested.
  expect([...paid.values()].reduce((sum, times) => sum + times, 0)).toBe(paidOut);
  return { sent, received };
}

async function untilEnded(books: pg.Client, timeoutMs: number): Promise<void> {
  const open = async () => {
    const { rows } = await books.query(
      `select id, step, attempts, next_action_at from transactions where status not in ('SETTLED', 'FAILED')`,
    );
    return rows;
  };
  await until(async () => (await open()).length === 0, { timeoutMs, everyMs: 100, what: 'all to end' }).catch(
    async (error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(await open(), null, 1)}`);
    },
  );
}

/** Waits until every committed message is published. The claim of a relay that died has to expire first. */
export async function untilToldEverything(books: pg.Client): Promise<void> {
  const untold = async () => (await books.query('select 1 from outbox where published_at is null')).rowCount;
  await until(async () => (await untold()) === 0, { timeoutMs: 45_000, everyMs: 100, what: 'the outbox to be empty' });
}

/** Expects that every invariant of the ledger holds. */
export async function expectLedgerHolds(admin: ApiClient): Promise<void> {
  const { status, body } = await admin.get('/api/admin/ledger/audit');
  expect([status, body.invariants?.filter((invariant: { violations: number }) => invariant.violations > 0)]).toEqual([
    200,
    [],
  ]);
}
