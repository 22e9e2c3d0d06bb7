import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import type { ReconciliationOverview } from '@vuka/contracts/http/reconciliation';

import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { PayoutProvider, StatementLine } from '#payouts/payout-provider.ts';
import { countUnreconciled, reconcileNextDay } from '#reconciliation/reconcile-day.ts';
import { completedIn } from '#reconciliation/reconciliation.store.ts';
import { findWaitingLines, updateWaitingLines } from '#reconciliation/waiting-line.store.ts';
import { createTransfersAtNoon, type Transfers } from './harness.ts';

let transfers: Transfers;
let admin: Caller;
const HOUR_MS = 60 * 60_000;
const started: Transfers[] = [];

beforeEach(async () => {
  ({ transfers, admin } = await createTransfersAtNoon());
  started.push(transfers);
});
afterAll(() => Promise.all(started.map((each) => each.stop())));

const dayOf = (at: Date) => new Date(at.getTime() + 3 * HOUR_MS).toISOString().slice(0, 10);
const read = async (): Promise<ReconciliationOverview> =>
  (await transfers.send('GET', '/internal/reconciliation', { caller: admin })).body;

async function paid() {
  const { transaction } = await transfers.order(transfers.merchant());
  await transfers.execute(transaction.id);
  const payout = await transfers.payoutOf(transaction.id);
  await transfers.callback(await transfers.paidReport(payout.id));
  await transfers.ended(transaction.id);
  return transfers.payoutOf(transaction.id);
}

function lineOf(payout: Awaited<ReturnType<typeof paid>>, of: Partial<StatementLine> = {}): StatementLine {
  return {
    clientPayoutId: payout.id,
    amountMinor: payout.amount,
    currency: payout.currency,
    msisdn: payout.destination_account,
    recordedAt: transfers.clock.now(),
    ...of,
  };
}

async function reconcile(...lines: StatementLine[]): Promise<ReconciliationOverview> {
  transfers.script.statement = { kind: 'lines', lines };
  const day = dayOf(transfers.clock.now());
  transfers.clock.advance(2 * HOUR_MS);
  const payload = { day };
  const { status } = await transfers.send('POST', '/internal/reconciliation/runs', { payload, caller: admin });
  expect(status).toBe(202);
  return until(async () => {
    const overview = await read();
    return overview.runs[0]?.state === 'running' ? null : overview;
  });
}

test('a day on which both sides agree has no exceptions', async () => {
  const payout = await paid();
  const { runs, exceptions } = await reconcile(lineOf(payout));
  expect(runs).toMatchObject([{ state: 'completed', lines: 1, matched: 1, differences: 0, requestedBy: 'Neema' }]);
  expect(exceptions).toEqual([]);
});

test('an unordered payment, another amount and a missing payment become one exception each', async () => {
  const [other, missing] = [await paid(), await paid()];
  const unknown = lineOf(other, { clientPayoutId: randomUUID() });
  const wrong = lineOf(other, { amountMinor: other.amount + 1n });
  const before = await transfers.db.selectFrom('transactions').selectAll().orderBy('id').execute();
  await reconcile(unknown, wrong);
  const { runs, exceptions, openExceptions } = await reconcile(unknown, wrong);
  expect(runs).toMatchObject([
    { state: 'completed', differences: 3 },
    { state: 'completed', differences: 3 },
  ]);
  expect(openExceptions).toBe(3);
  expect(exceptions.map(({ kind, payoutId, transactionId }) => ({ kind, payoutId, transactionId }))).toEqual(
    expect.arrayContaining([
      { kind: 'paid_without_order', payoutId: unknown.clientPayoutId, transactionId: null },
      { kind: 'different_figures', payoutId: other.id, transactionId: other.transaction_id },
      { kind: 'not_on_statement', payoutId: missing.id, transactionId: missing.transaction_id },
    ]),
  );
  expect(await transfers.db.selectFrom('transactions').selectAll().orderBy('id').execute()).toEqual(before);
});

test('a later statement resolves the exception of a payment that it contains, and of no other', async () => {
  const [late, missing] = [await paid(), await paid()];
  const line = lineOf(late);
  expect((await reconcile()).openExceptions).toBe(2);
  const { runs, exceptions, openExceptions } = await reconcile(line);
  expect(runs[0]).toMatchObject({ state: 'completed', matched: 1, differences: 1 });
  expect(openExceptions).toBe(1);
  expect(exceptions).toMatchObject([
    { payoutId: missing.id, state: 'open', resolvedAt: null },
    { payoutId: late.id, state: 'resolved', note: 'The payment is on a later statement.', owner: null },
  ]);
});

test('the exception of a payment without an order is resolved once the order, lost in a restore, was sent again', async () => {
  const [payout, other] = [await paid(), await paid()];
  const callIt = (from: string, to: string) =>
    transfers.db.updateTable('money_transfers').set({ id: to }).where('id', '=', from).execute();
  const [line, lineOfOther, elsewhere] = [lineOf(payout), lineOf(other), randomUUID()];
  const unknown = { ...lineOfOther, clientPayoutId: randomUUID() };
  await callIt(payout.id, elsewhere);
  await reconcile(line, lineOfOther, unknown);
  await callIt(elsewhere, payout.id);
  const { exceptions } = await reconcile(line, lineOfOther, unknown);
  const withoutOrder = exceptions.filter(({ kind }) => kind === 'paid_without_order');
  expect(new Map(withoutOrder.map(({ payoutId, state, note }) => [payoutId, { state, note }]))).toEqual(
    new Map([
      [payout.id, { state: 'resolved', note: 'The payment has an order now.' }],
      [unknown.clientPayoutId, { state: 'open', note: null }],
    ]),
  );
});

test('a payment whose order was lost, and another one for the order that was sent again, are two payments', async () => {
  const payout = await paid();
  const callIt = (from: string, to: string) =>
    transfers.db.updateTable('money_transfers').set({ id: to }).where('id', '=', from).execute();
  const [first, elsewhere] = [lineOf(payout), randomUUID()];
  await callIt(payout.id, elsewhere);
  await reconcile(first);
  await callIt(elsewhere, payout.id);
  // The first payment counts, although it is on the statement of another day.
  const open = async (...lines: StatementLine[]) =>
    (await reconcile(...lines)).exceptions
      .filter(({ payoutId, state }) => payoutId === payout.id && state === 'open')
      .map(({ kind }) => kind);
  expect(await open()).toEqual(['paid_without_order']);
  transfers.clock.advance(3 * 24 * HOUR_MS);
  expect((await open(lineOf(payout))).sort()).toEqual(['paid_twice', 'paid_without_order']);
});

describe('a payment days after its payout was completed', () => {
  const theirs = ({ exceptions }: ReconciliationOverview) =>
    exceptions.map(({ kind, state, details }) => ({ kind, state, theirs: details.theirs }));
  const laterLine = (payout: Awaited<ReturnType<typeof paid>>) => {
    transfers.clock.advance(3 * 24 * HOUR_MS);
    return lineOf(payout);
  };

  test('is a second one, if the first was on the statement of its day', async () => {
    const payout = await paid();
    expect(theirs(await reconcile(lineOf(payout)))).toEqual([]);
    const overview = await reconcile(laterLine(payout));
    expect(overview.runs[0]).toMatchObject({ lines: 1, matched: 0, differences: 1 });
    expect(theirs(overview)).toMatchObject([{ kind: 'paid_twice', state: 'open', theirs: { payments: 2 } }]);
  });

  test('is the first one, if it was missing until then, however often its day is reconciled', async () => {
    const payout = await paid();
    expect(theirs(await reconcile())).toMatchObject([{ kind: 'not_on_statement', state: 'open', theirs: null }]);
    const line = laterLine(payout);
    const found = [{ kind: 'not_on_statement', state: 'resolved', theirs: null }];
    expect(theirs(await reconcile(line))).toEqual(found);
    expect(theirs(await reconcile(line))).toEqual(found);
  });
});

test('a payment that the statement may not have yet is not a difference', async () => {
  await paid();
  transfers.script.statement = { kind: 'lines', lines: [] };
  const payload = { day: dayOf(transfers.clock.now()) };
  await transfers.send('POST', '/internal/reconciliation/runs', { payload, caller: admin });
  const run = await until(async () => (await read()).runs.find(({ state }) => state !== 'running') ?? null);
  expect(run).toMatchObject({ state: 'completed', differences: 0 });
});

test('a day that was reconciled before its end is reconciled again when it is over', async () => {
  const early = lineOf(await paid());
  await reconcile(early);
  transfers.clock.advance(4 * HOUR_MS);
  const late = await paid();
  transfers.clock.advance(26 * HOUR_MS);
  expect(await countUnreconciled(transfers.deps)).toBe(1);
  await (await reconcileNextDay(transfers.deps))?.done;
  expect((await read()).exceptions).toMatchObject([{ kind: 'not_on_statement', payoutId: late.id }]);
  expect(await countUnreconciled(transfers.deps)).toBe(0);
});

test('each day is a statement of its own, and of the days beside it only payments of the same payouts count', async () => {
  const payout = await paid();
  const midnight = Date.parse(`${dayOf(transfers.clock.now())}T00:00:00+03:00`);
  const before = lineOf(payout, { recordedAt: new Date(midnight - 10_000) });
  // The end of one day, and the beginning of the next one.
  const after = lineOf(await paid(), { recordedAt: new Date(midnight + 24 * HOUR_MS) });
  const ofOthers = lineOf(payout, { clientPayoutId: randomUUID(), recordedAt: new Date(midnight - HOUR_MS) });
  const periods: string[] = [];
  const kept: StatementLine[] = [];
  const provider: PayoutProvider = {
    ...transfers.deps.provider,
    statement: async ({ from, to }, { isNeeded }) => {
      periods.push(`${from.toISOString()} ${to.toISOString()}`);
      const isIn = ({ recordedAt }: StatementLine) => recordedAt >= from && recordedAt <= to;
      const lines = [ofOthers, before, after].filter(isIn).filter(isNeeded);
      kept.push(...lines);
      return { kind: 'lines', lines };
    },
  };
  transfers.clock.advance(26 * HOUR_MS);
  await (await reconcileNextDay({ ...transfers.deps, provider }))?.done;
  const ends = [-24, 0, 24].map((hours) => new Date(midnight + hours * HOUR_MS).toISOString());
  expect(periods).toEqual([
    `${ends[1]} ${ends[2]}`,
    `${ends[0]} ${ends[1]}`,
    `${ends[2]} ${transfers.clock.now().toISOString()}`,
  ]);
  expect(kept).toEqual([before, after]);
  const { runs, exceptions } = await read();
  expect([runs[0], exceptions]).toMatchObject([{ state: 'completed', lines: 0, differences: 0 }, []]);
});

test('a day without a statement fails and does not count as reconciled', async () => {
  transfers.script.statement = { kind: 'unavailable', reason: 'the statement took too long' };
  transfers.clock.advance(26 * HOUR_MS);
  await (await reconcileNextDay(transfers.deps))?.done;
  expect((await read()).runs).toMatchObject([{ state: 'failed', error: 'the statement took too long' }]);
  transfers.script.statement = { kind: 'lines', lines: [] };
  transfers.clock.advance(HOUR_MS / 4);
  await (await reconcileNextDay(transfers.deps))?.done;
  expect((await read()).runs[0]).toMatchObject({ state: 'completed', requestedBy: null });
  expect(await reconcileNextDay(transfers.deps)).toBeUndefined();
});

test('a run that was committed as completed stays so, although the connection is lost before its process knows', async () => {
  let isLost = false;
  transfers.pool.on('acquire', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    let completes = false;
    const cut = async (text: unknown, values: unknown, ...rest: unknown[]) => {
      const answer = await query(text, values, ...rest);
      completes ||= String(text).startsWith('update "reconciliations"') && (values as unknown[]).includes('completed');
      if (isLost || !completes || text !== 'commit') return answer;
      isLost = true;
      throw new Error('Connection terminated unexpectedly');
    };
    client.query = cut as typeof client.query;
  });
  transfers.script.statement = { kind: 'lines', lines: [lineOf(await paid())] };
  transfers.clock.advance(26 * HOUR_MS);
  await (await reconcileNextDay(transfers.deps))?.done;
  expect(isLost).toBe(true);
  expect((await read()).runs).toMatchObject([{ state: 'completed', matched: 1, error: null }]);
});

test('a day larger than memory allows fails with that reason, whichever side is too large, and opens no exception', async () => {
  const [one, two] = [lineOf(await paid()), lineOf(await paid())];
  const unknown = { ...two, clientPayoutId: randomUUID() };
  transfers.clock.advance(26 * HOUR_MS);
  const runOf = async (mostPayouts: number, ...lines: StatementLine[]) => {
    transfers.script.statement = { kind: 'lines', lines };
    await (await reconcileNextDay({ ...transfers.deps, mostPayouts }))?.done;
    transfers.clock.advance(HOUR_MS / 4);
    const { runs, openExceptions } = await read();
    return [runs[0]?.state, runs[0]?.error, openExceptions];
  };
  const failed = (what: string) => {
    const error = `the day has over ${what}, more than this process has memory to compare: raise its memory limit`;
    return ['failed', error, 0];
  };
  expect(await runOf(1)).toEqual(failed('1 payouts in our books'));
  expect(await runOf(2, one, two, unknown)).toEqual(failed('2 payments on its statement'));
  expect(await runOf(2, one, two)).toEqual(['completed', null, 0]);
});

test('the payments of a day and those of the days beside it fit in memory together, counted while they are read', async () => {
  const [one, two] = [lineOf(await paid()), lineOf(await paid())];
  const beside = { ...one, recordedAt: new Date(one.recordedAt.getTime() - 24 * HOUR_MS) };
  transfers.clock.advance(26 * HOUR_MS);
  const reconciledWith = async (mostPayouts: number) => {
    const asked: number[] = [];
    const provider: PayoutProvider = {
      ...transfers.deps.provider,
      statement: (period, needs, record) => {
        asked.push(needs.most);
        return transfers.deps.provider.statement(period, needs, record);
      },
    };
    transfers.script.statement = { kind: 'lines', lines: [one, two, beside] };
    await (await reconcileNextDay({ ...transfers.deps, provider, mostPayouts }))?.done;
    transfers.clock.advance(HOUR_MS / 4);
    return [(await read()).runs[0]?.state, asked];
  };
  expect(await reconciledWith(2)).toEqual(['failed', [2, 0]]);
  expect(await reconciledWith(3)).toEqual(['completed', [3, 1, 0]]);
});

test('a day of 12,000 payouts is compared in parts with the same result: those that agree, differ or are missing', async () => {
  const at = transfers.clock.now();
  const { transaction_id: transactionId } = await paid();
  const { rows } = await sql<{ id: string }>`
    insert into money_transfers (id, user_id, transaction_id, provider, description, destination_account, amount,
      currency, request_body, status, state, is_alive, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'scripted', '', '255763456700', 100, 'TZS',
      '', 'COMPLETED', 'completed', false, ${at}, ${at} from generate_series(1, 11999)
    returning id`.execute(transfers.db);
  const own = await transfers.payoutOf(transactionId);
  const ids = [own.id, ...rows.map(({ id }) => id)];
  const of = { amountMinor: 100n, currency: 'TZS', msisdn: '255763456700', recordedAt: at };
  const all: StatementLine[] = ids.map((clientPayoutId) => ({ ...of, clientPayoutId }));
  const [missing, wrong, twice] = [all.slice(5_990, 6_010), all.slice(4_990, 5_010), all.slice(9_990, 10_010)];
  const lines = all
    .filter((line) => !missing.includes(line))
    .map((line) => {
      if (line.clientPayoutId === own.id) return { ...line, amountMinor: own.amount };
      return wrong.includes(line) ? { ...line, amountMinor: 101n } : line;
    });
  const { runs } = await reconcile(...lines, ...twice);
  expect(runs).toMatchObject([{ state: 'completed', lines: 12_000, matched: 11_940, differences: 60, waiting: 0 }]);
  const found = await transfers.db.selectFrom('payout_exceptions').select(['kind', 'money_transfer_id']).execute();
  const sorted = (kind: string, from: StatementLine[]) => from.map((line) => `${kind} ${line.clientPayoutId}`);
  expect(found.map((row) => `${row.kind} ${row.money_transfer_id}`).sort()).toEqual(
    [
      ...sorted('different_figures', wrong),
      ...sorted('not_on_statement', missing),
      ...sorted('paid_twice', twice),
    ].sort(),
  );
});

test('a day whose statement was unavailable all day is reconciled later, without delaying other days', async () => {
  await paid();
  const [first, second, third] = [0, 1, 2].map((days) =>
    dayOf(new Date(transfers.clock.now().getTime() + days * 24 * HOUR_MS)),
  );
  transfers.script.statement = { kind: 'unavailable', reason: 'the statement took too long' };
  transfers.clock.advance(26 * HOUR_MS);
  await (await reconcileNextDay(transfers.deps))?.done;
  transfers.clock.advance(48 * HOUR_MS);
  await (await reconcileNextDay(transfers.deps))?.done;
  expect(await countUnreconciled(transfers.deps)).toBe(3);
  transfers.script.statement = { kind: 'lines', lines: [] };
  transfers.clock.advance(HOUR_MS / 4);
  for (;;) {
    const next = await reconcileNextDay(transfers.deps);
    if (!next) break;
    await next.done;
    transfers.clock.advance(HOUR_MS / 4);
  }
  const runs = (await read()).runs.map(({ day, state }) => `${day} ${state}`);
  expect(runs).toEqual([
    ...[third, first, second].map((day) => `${day} completed`),
    ...[third, first].map((day) => `${day} failed`),
  ]);
  expect(await countUnreconciled(transfers.deps)).toBe(0);
});

test('a payment that our books learned of days later is not missing on the day of its completion', async () => {
  const paidAt = transfers.clock.now();
  transfers.clock.advance(2 * 24 * HOUR_MS);
  const line = lineOf(await paid(), { recordedAt: paidAt });
  transfers.script.statement = { kind: 'lines', lines: [line] };
  const reconcileDay = async (day: Date) => {
    const payload = { day: dayOf(day) };
    expect((await transfers.send('POST', '/internal/reconciliation/runs', { payload, caller: admin })).status).toBe(
      202,
    );
    return until(async () => {
      const overview = await read();
      return overview.runs[0]?.state === 'running' ? null : overview;
    });
  };
  expect((await reconcileDay(paidAt)).runs[0]).toMatchObject({ matched: 1, differences: 0 });
  transfers.clock.advance(26 * HOUR_MS);
  const completedAt = new Date(paidAt.getTime() + 2 * 24 * HOUR_MS);
  const { runs, exceptions } = await reconcileDay(completedAt);
  expect([runs[0], exceptions]).toMatchObject([{ state: 'completed', differences: 0 }, []]);
  expect((await reconcileDay(paidAt)).exceptions).toEqual([]);
});

test('ten concurrent requests are one run, and a killed run is replaced after an hour and a half', async () => {
  const provider = { ...transfers.deps.provider, statement: () => new Promise<never>(() => undefined) };
  const begun = await Promise.all(Array.from({ length: 10 }, () => reconcileNextDay({ ...transfers.deps, provider })));
  expect(begun.filter(Boolean)).toHaveLength(1);
  expect(await reconcileNextDay(transfers.deps)).toBeUndefined();
  transfers.clock.advance(HOUR_MS);
  expect(await reconcileNextDay(transfers.deps)).toBeUndefined();
  transfers.clock.advance(HOUR_MS / 2 + 1);
  await (await reconcileNextDay(transfers.deps))?.done;
  expect((await read()).runs.map(({ state }) => state)).toEqual(['completed', 'failed']);
});

test.each([
  [-1, 'The day has not begun yet'],
  [32, 'Statements reach 30 days back'],
])('a day %i days ago is refused', async (days, error) => {
  const payload = { day: dayOf(new Date(transfers.clock.now().getTime() - days * 24 * HOUR_MS)) };
  const { status, body } = await transfers.send('POST', '/internal/reconciliation/runs', { payload, caller: admin });
  expect({ status, error: body.error }).toEqual({ status: 400, error });
});

test('a run whose request could not be recorded has not begun, and keeps no other from beginning', async () => {
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no audit trail''; end'`.execute(
    transfers.db,
  );
  await sql`create trigger refuse before insert on outbox execute function refuse()`.execute(transfers.db);
  const payload = { day: dayOf(transfers.clock.now()) };
  const request = () => transfers.send('POST', '/internal/reconciliation/runs', { payload, caller: admin });
  expect((await request()).status).toBe(500);
  expect((await read()).runs).toEqual([]);
  await sql`drop trigger refuse on outbox`.execute(transfers.db);
  expect((await request()).status).toBe(202);
});

test('one administrator takes and resolves an exception with a note, and both actions are recorded', async () => {
  const payout = await paid();
  const [open] = (await reconcile(lineOf(payout), lineOf(payout, { clientPayoutId: randomUUID() }))).exceptions;
  const path = `/internal/reconciliation/exceptions/${open?.id}`;
  expect((await transfers.send('POST', `${path}/take`, { caller: admin })).body).toMatchObject({ owner: 'Neema' });
  const resolve = (note: string) => transfers.send('POST', `${path}/resolve`, { payload: { note }, caller: admin });
  expect((await resolve(' ')).body.error).toBe('Please write what was found and done');
  const racing = await Promise.all([resolve('Refunded by the provider'), resolve('Refunded by the provider')]);
  expect(racing.map(({ status }) => status)).toEqual([200, 200]);
  expect((await resolve('Refunded by a colleague')).status).toBe(409);
  expect((await read()).exceptions).toMatchObject([
    { state: 'resolved', owner: 'Neema', note: 'Refunded by the provider' },
  ]);
  expect(await transfers.messages(open?.id ?? '')).toEqual(['admin.action-recorded.v1', 'admin.action-recorded.v1']);
});

test('what one administrator has taken is resolved by no other, not even of the same name, until it is taken over', async () => {
  const payout = await paid();
  const [open] = (await reconcile(lineOf(payout), lineOf(payout, { clientPayoutId: randomUUID() }))).exceptions;
  const path = `/internal/reconciliation/exceptions/${open?.id}`;
  const [other, third] = ['ADM2', 'ADM3'].map((adminId) => ({ ...admin, userId: randomUUID(), adminId }));
  const take = (caller = admin, payload: object = {}) => transfers.send('POST', `${path}/take`, { payload, caller });
  const resolve = (caller = admin) =>
    transfers.send('POST', `${path}/resolve`, { payload: { note: 'Refunded by the provider' }, caller });
  const taken = { status: 409, body: { reason: 'exception_taken' } };

  expect((await take()).body).toMatchObject({ owner: 'Neema', ownerId: 'ADM1', isOwnedByCaller: true });
  expect(await take()).toMatchObject({ status: 200 });
  expect([await take(other), await resolve(other)]).toMatchObject([taken, taken]);
  // Of two who were shown the same owner, only one takes it over.
  const shown = { takenFrom: 'ADM1' };
  const [first, second] = [await take(other, shown), await take(third, shown)];
  expect([first, second]).toMatchObject([{ status: 200, body: { ownerId: 'ADM2', isOwnedByCaller: true } }, taken]);
  expect((await read()).exceptions).toMatchObject([{ owner: 'Neema', ownerId: 'ADM2', isOwnedByCaller: false }]);
  expect([await resolve(), await resolve(third)]).toMatchObject([taken, taken]);
  expect(await resolve(other)).toMatchObject({ status: 200 });
  expect([await resolve(other), await resolve()]).toMatchObject([{ status: 200 }, { status: 409 }]);
});

test('an owner whom the release before recorded is known by name', async () => {
  const payout = await paid();
  const [open] = (await reconcile(lineOf(payout), lineOf(payout, { clientPayoutId: randomUUID() }))).exceptions;
  const path = `/internal/reconciliation/exceptions/${open?.id}`;
  await transfers.db.updateTable('payout_exceptions').set({ owner: 'Neema' }).execute();
  const other = { ...admin, userId: randomUUID(), adminId: 'ADM2', name: 'Baraka' };
  const take = (caller: Caller, payload: object = {}) => transfers.send('POST', `${path}/take`, { payload, caller });
  expect(await take(other)).toMatchObject({ status: 409 });
  expect((await read()).exceptions).toMatchObject([{ ownerId: 'Neema', isOwnedByCaller: true }]);
  expect((await take(admin)).body).toMatchObject({ ownerId: 'ADM1' });
  await transfers.db.updateTable('payout_exceptions').set({ owner: 'Neema', owner_id: null }).execute();
  expect((await take(other, { takenFrom: 'Neema' })).body).toMatchObject({ owner: 'Baraka', ownerId: 'ADM2' });
});

test('merchants and unauthenticated callers are refused', async () => {
  const calls = [
    ['GET', '/internal/reconciliation'],
    ['POST', '/internal/reconciliation/runs'],
    ['POST', `/internal/reconciliation/exceptions/${randomUUID()}/take`],
    ['POST', `/internal/reconciliation/exceptions/${randomUUID()}/resolve`],
  ] as const;
  for (const [method, url] of calls) {
    const payload = method === 'POST' ? { payload: { day: '2026-01-05', note: 'note' } } : {};
    expect((await transfers.send(method, url, payload)).status).toBe(401);
    expect((await transfers.send(method, url, { ...payload, caller: transfers.merchant() })).status).toBe(403);
  }
});

describe('a payment on the statement of a payout that is still open', () => {
  /** A payout that is on its way for days, and its line on today's statement. */
  async function onStatement(of: Partial<StatementLine> = {}) {
    const { transaction } = await transfers.order(transfers.merchant());
    await transfers.execute(transaction.id);
    const payout = await transfers.payoutOf(transaction.id);
    const line = lineOf(payout, of);
    const { runs, exceptions } = await reconcile(line);
    expect([runs[0], exceptions]).toMatchObject([{ lines: 1, matched: 0, waiting: 1, differences: 0 }, []]);
    transfers.clock.advance(3 * 24 * HOUR_MS);
    return { payout, line, id: transaction.id as string };
  }
  const kinds = ({ exceptions }: ReconciliationOverview) => exceptions.map(({ kind }) => kind);

  test('is compared when the payout has ended, and the day of its end does not miss it', async () => {
    const { payout, id } = await onStatement();
    await transfers.callback(await transfers.paidReport(payout.id));
    await transfers.ended(id);
    expect(kinds(await reconcile())).toEqual([]);
    expect(kinds(await reconcile())).toEqual([]);
  });

  test('is an exception when the payout fails', async () => {
    const { payout, id } = await onStatement();
    const failure = { code: 'PAYER_LIMIT_REACHED', class: 'limit' } as const;
    await transfers.failedCallback({ ...(await transfers.paidReport(payout.id)), failure });
    await transfers.ended(id);
    expect(kinds(await reconcile())).toEqual(['paid_but_failed']);
    expect(kinds(await reconcile())).toEqual(['paid_but_failed']);
  });

  test('is followed by another one days later: the payout was paid twice', async () => {
    const { payout, line } = await onStatement();
    expect(kinds(await reconcile(lineOf(payout)))).toEqual(['paid_twice']);
    expect(lineOf(payout).recordedAt).not.toEqual(line.recordedAt);
  });

  test('is stored beside more others than one statement of SQL has parameters', async () => {
    const { payout } = await onStatement();
    const added = Array.from({ length: 12_000 }, () => lineOf(payout, { clientPayoutId: randomUUID() }));
    await updateWaitingLines(transfers.db, { added: [lineOf(payout), ...added], compared: [], at: new Date() });
    expect(await findWaitingLines(transfers.db)).toHaveLength(12_001);
  });

  test('waits on while the payout is open', async () => {
    await onStatement();
    expect(kinds(await reconcile())).toEqual([]);
    const { rows } = await transfers.pool.query('select compared_at from waiting_statement_lines');
    expect(rows).toEqual([{ compared_at: null }]);
  });
});

test('with 45,000 payouts of 90 days, those of one day are read without the rest, and updates stay on their page', async () => {
  await sql`
    insert into money_transfers (id, user_id, transaction_id, provider, description, destination_account, amount,
      currency, request_body, state, is_alive, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'scripted', '', '255763456700', 100, 'TZS',
      '', 'completed', false, day, day
    from generate_series(timestamptz '2026-01-01', '2026-03-31 23:57', interval '172.8 seconds') as day`.execute(
    transfers.db,
  );
  await sql`vacuum analyze money_transfers`.execute(transfers.db);
  const day = { provider: 'scripted', from: new Date('2026-02-10'), to: new Date('2026-02-11') };
  const plan = (await completedIn(transfers.db, day).explain('text', sql`analyze, timing off`))
    .map((row) => row['QUERY PLAN'])
    .join('\n');
  expect(plan).toContain('Bitmap Index Scan on money_transfers_updated');
  expect(Number(/rows=(\d+)\.\d+ loops/.exec(plan)?.[1])).toBe(500);
  expect(Number(/Rows Removed by Index Recheck: (\d+)/.exec(plan)?.[1])).toBeLessThan(10_000);

  const payout = await completedIn(transfers.db, day).limit(1).executeTakeFirstOrThrow();
  const hot = await transfers.db.transaction().execute(async (trx) => {
    await trx.updateTable('money_transfers').set({ updated_at: new Date() }).where('id', '=', payout.id).execute();
    const { rows } = await sql<{ updates: bigint }>`
      select pg_stat_get_xact_tuples_hot_updated('money_transfers'::regclass) as updates`.execute(trx);
    return rows[0]?.updates;
  });
  expect(hot).toBe(1n);
});
