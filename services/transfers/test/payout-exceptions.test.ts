import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import type { PayoutException } from '@vuka/contracts/http/reconciliation';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';

import { createTestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
let admin: Caller;
const started: Transfers[] = [];

beforeEach(async () => {
  transfers = await createTransfers();
  started.push(transfers);
  admin = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1', name: 'Neema' };
});
afterAll(() => Promise.all(started.map((each) => each.stop())));

/** An open transfer for which the provider reports another amount. */
async function reportedWithAnotherAmount(caller = transfers.merchant()) {
  const { transaction } = await transfers.order(caller);
  await transfers.execute(transaction.id);
  const { id: payoutId } = await transfers.payoutOf(transaction.id);
  const report: PayoutReport = { ...(await transfers.paidReport(payoutId)), amount: '23031' };
  await transfers.callback(report);
  return { id: transaction.id as string, report };
}

const listed = async (): Promise<PayoutException[]> =>
  (await transfers.send('GET', '/internal/reconciliation', { caller: admin })).body.exceptions;

test('repeated reports of different figures are one exception', async () => {
  const { report } = await reportedWithAnotherAmount();
  await Promise.all([transfers.callback(report), transfers.callback(report)]);
  transfers.script.status = { kind: 'found', report };
  const first = transfers.clock.now();
  for (let hour = 0; hour < 5; hour += 1) {
    transfers.clock.advance(60 * 60_000);
    await transfers.sweep();
  }
  expect(await listed()).toMatchObject([
    {
      kind: 'different_amount',
      state: 'open',
      createdAt: first.toISOString(),
      lastSeenAt: transfers.clock.now().toISOString(),
    },
  ]);
});

test('the migration merges exceptions of one kind, keeping an open one with an owner if there is one', async () => {
  const server = await createTestDatabase('transfers');
  const logger = createLogger({ service: 'transfers-test', level: 'silent' });
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'transfers-test', logger });
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0010'));
  await migrate(db as never, before, logger);
  const [payout, other] = [randomUUID(), randomUUID()];
  const insert = (money_transfer_id: string, minute: number, of: object = {}) =>
    db
      .insertInto('payout_exceptions')
      .values({
        id: randomUUID(),
        money_transfer_id,
        transaction_id: null,
        kind: 'different_amount',
        details: '{}',
        created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
        ...of,
      } as never)
      .execute();
  const resolved = { state: 'resolved', note: 'it is as it should be', owner: 'Baraka', resolved_at: new Date() };
  await insert(payout, 1, resolved);
  await insert(payout, 2);
  await insert(payout, 3, { owner: 'Neema' });
  await insert(payout, 4);
  await insert(other, 5, resolved);
  await insert(other, 6, resolved);
  await migrate(db as never, migrations, logger);
  const rows = await db.selectFrom('payout_exceptions').selectAll().orderBy('created_at').execute();
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  expect(rows).toMatchObject([
    { money_transfer_id: payout, state: 'open', owner: 'Neema', created_at: at(1), last_seen_at: at(4) },
    { money_transfer_id: other, state: 'resolved', owner: 'Baraka', created_at: at(5), last_seen_at: at(6) },
  ]);
  await close();
  await server.drop();
});

const decide = (id: string, outcome?: 'paid' | 'not_paid', caller = admin, seen?: PayoutException['details']) =>
  transfers.send('POST', `/internal/reconciliation/exceptions/${id}/resolve`, {
    payload: { note: 'The provider has looked it up', ...(outcome ? { outcome } : {}), ...(seen ? { seen } : {}) },
    caller,
  });

const OUTDATED = 'The provider has reported something newer about this payout. Read it before you decide.';

test.each([
  ['paid', 'SETTLED', 'capture', 'completed'],
  ['not_paid', 'FAILED', 'release', 'failed'],
] as const)(
  'an administrator’s decision of %s ends the transfer once, as %s',
  async (outcome, status, booked, state) => {
    const { id, report } = await reportedWithAnotherAmount();
    const [exception] = await listed();
    expect(exception?.holdsTransfer).toBe(true);
    const answers = await Promise.all([decide(exception?.id ?? '', outcome), decide(exception?.id ?? '', outcome)]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[0]?.body).toMatchObject({
      state: 'resolved',
      owner: 'Neema',
      note: 'The provider has looked it up',
      holdsTransfer: false,
    });
    expect((await transfers.messages(id)).filter((key) => key === 'transfer.execute.v1')).toHaveLength(2);
    // Published right after the commit, so that the money does not wait for the relay.
    expect(transfers.published.filter(({ envelope }) => envelope.type === 'transfer.execute.v1')).toHaveLength(2);
    await transfers.execute(id);
    expect(await transfers.transfer(id)).toMatchObject({ status });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', booked]);
    expect(await transfers.payoutOf(id)).toMatchObject({ state });
    await transfers.callback(report);
    expect(await listed()).toMatchObject([{ state: 'resolved' }]);
    const recorded = (await transfers.messagesInOutbox()).filter(({ envelope }) => envelope.subject === exception?.id);
    expect(recorded.map(({ envelope }) => envelope.data)).toMatchObject([
      { action: `exception.${outcome === 'paid' ? 'paid' : 'not-paid'}`, reason: 'The provider has looked it up' },
    ]);
  },
);

test.each([
  ['with the figures of the order', { amount: '23030' }],
  ['with yet other figures', { amount: '23032' }],
])('a report of a payment %s contradicts a decision that nothing was paid', async (_, figures) => {
  const { id, report } = await reportedWithAnotherAmount();
  const [exception] = await listed();
  await decide(exception?.id ?? '', 'not_paid');
  await transfers.execute(id);
  await transfers.callback({ ...report, ...figures });
  const found = (await listed()).map(({ kind, state, details }) => ({ kind, state, amount: details.amount }));
  expect(found).toEqual([
    { kind: 'contradicting_outcome', state: 'open', amount: figures.amount },
    { kind: 'different_amount', state: 'resolved', amount: '23031' },
  ]);
});

test('a report of a payment contradicts a decision on an earlier report of a payout that was on its way', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  await transfers.execute(transaction.id);
  const { id: payoutId } = await transfers.payoutOf(transaction.id);
  const report: PayoutReport = { ...(await transfers.paidReport(payoutId)), amount: '23031' };
  await transfers.callback({ ...report, state: 'processing' });
  const [exception] = await listed();
  expect(exception?.details).toMatchObject({ state: 'processing' });
  await decide(exception?.id ?? '', 'not_paid');
  await transfers.execute(transaction.id);
  await transfers.callback(report);
  expect((await listed()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'contradicting_outcome open',
    'different_amount resolved',
  ]);
});

test('an open exception shows the latest report, and a decision on it covers its repeats', async () => {
  const { id, report } = await reportedWithAnotherAmount();
  await transfers.callback({ ...report, amount: '23032' });
  const [exception] = await listed();
  expect(exception?.details).toMatchObject({ amount: '23032' });
  await decide(exception?.id ?? '', 'not_paid');
  await transfers.execute(id);
  await transfers.callback({ ...report, amount: '23032' });
  expect(await listed()).toMatchObject([{ state: 'resolved' }]);
});

test('a decision on a report that a newer one has replaced is refused, and moves no money', async () => {
  const { id, report } = await reportedWithAnotherAmount();
  await transfers.callback({ ...report, state: 'processing' });
  const [seen] = await listed();
  await transfers.callback(report);
  const refused = await decide(seen?.id ?? '', 'not_paid', admin, seen?.details);
  expect(refused).toMatchObject({ status: 409, body: { code: 'changed_meanwhile', error: OUTDATED } });
  expect((await transfers.transfer(id)).step).toBe('paying_out');
  const [latest] = await listed();
  const decided = await decide(latest?.id ?? '', 'paid', admin, latest?.details);
  expect(decided).toMatchObject({ status: 200, body: { state: 'resolved' } });
  expect(await decide(latest?.id ?? '', 'paid', admin, latest?.details)).toMatchObject({ status: 200 });
  await transfers.execute(id);
  expect((await transfers.transfer(id)).status).toBe('SETTLED');
});

test('of two exceptions that hold a transfer, only the one with the latest report is decided', async () => {
  const { id, paid, report } = await failedForUnknownReason();
  transfers.script.status = { kind: 'found', report };
  transfers.clock.advance(60_000);
  await transfers.sweep();
  // Otherwise an inquiry in the background could repeat the first report at the time of the second one.
  transfers.script.status = { kind: 'ambiguous', reason: 'it is busy' };
  transfers.clock.advance(60_000);
  await transfers.callback({ ...paid, amount: '23031' });
  const find = async (kind: string) => (await listed()).find((exception) => exception.kind === kind)?.id ?? '';
  expect(await decide(await find('unknown_failure'), 'not_paid')).toMatchObject({
    status: 409,
    body: { error: OUTDATED },
  });
  expect((await transfers.transfer(id)).step).toBe('paying_out');
  expect((await decide(await find('different_amount'), 'paid')).status).toBe(200);
  await transfers.execute(id);
  expect((await transfers.transfer(id)).status).toBe('SETTLED');
});

test('a report that nobody has decided on contradicts an outcome that came later', async () => {
  const { id, report } = await reportedWithAnotherAmount();
  const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' } as const;
  await transfers.failedCallback({ ...report, amount: '23030', failure });
  expect(await transfers.ended(id)).toMatchObject({ status: 'FAILED' });
  await transfers.callback(report);
  const states = (await listed()).map(({ kind, state }) => `${kind} ${state}`);
  expect(states.sort()).toEqual(['contradicting_outcome open', 'different_amount open']);
});

test('an exception that holds its transfer cannot be resolved without the payout’s outcome', async () => {
  const { id } = await reportedWithAnotherAmount();
  const [exception] = await listed();
  expect(await decide(exception?.id ?? '')).toMatchObject({
    status: 400,
    body: { error: 'A transfer waits for this exception. State whether the recipient was paid.' },
  });
  expect((await transfers.transfer(id)).step).toBe('paying_out');
});

test('a payout that has already ended cannot be decided, and its exception is resolved by a note', async () => {
  const { id, report } = await reportedWithAnotherAmount();
  const [exception] = await listed();
  await transfers.callback({ ...report, amount: '23030' });
  await transfers.ended(id);
  expect(await listed()).toMatchObject([{ state: 'open', holdsTransfer: false }]);
  expect(await decide(exception?.id ?? '', 'not_paid')).toMatchObject({ status: 409 });
  expect((await decide(exception?.id ?? '')).status).toBe(200);
  expect((await transfers.transfer(id)).status).toBe('SETTLED');
});

test('a concurrent decision and callback end the transfer once', async () => {
  const { id, report } = await reportedWithAnotherAmount();
  const [exception] = await listed();
  await Promise.all([decide(exception?.id ?? '', 'not_paid'), transfers.callback({ ...report, amount: '23030' })]);
  await transfers.execute(id);
  expect(transfers.fakes.appliedFor(id)).toHaveLength(2);
});

test('a repeated decision has the answer of the first, and another one is refused', async () => {
  const { id } = await reportedWithAnotherAmount();
  const [exception] = await listed();
  const first = await decide(exception?.id ?? '', 'not_paid');
  expect((await decide(exception?.id ?? '', 'not_paid')).body).toEqual(first.body);
  expect(await decide(exception?.id ?? '', 'paid')).toMatchObject({ status: 409 });
  const other = { ...admin, userId: randomUUID(), adminId: 'ADM2', name: 'Baraka' };
  expect(await decide(exception?.id ?? '', 'not_paid', other)).toMatchObject({ status: 409 });
  await transfers.execute(id);
  expect(await decide(exception?.id ?? '', 'not_paid')).toMatchObject({ status: 200, body: { state: 'resolved' } });
  const actions = (await transfers.messagesInOutbox()).map(({ envelope }) => envelope.data as { action?: string });
  expect(actions.filter(({ action }) => action === 'exception.not-paid')).toHaveLength(1);
});

test('a decision stands in the feed after a step that another process took before it', async () => {
  const { id } = await reportedWithAnotherAmount();
  const [exception] = await listed();
  const step = await transfers.pool.connect();
  await step.query('begin');
  // Lets the decision begin to write, but commit no event.
  await step.query('lock table outbox in share row exclusive mode');
  const decision = decide(exception?.id ?? '', 'not_paid');
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await until(async () => (await transfers.pool.query(waiting)).rowCount);
  const { rows } = await step.query<{ xid: string }>(
    'update transactions set version = version + 1 where id = $1 returning pg_current_xact_id()::text as xid',
    [id],
  );
  await step.query('commit');
  step.release();
  expect((await decision).status).toBe(200);
  const written = await sql<{ xid: string }>`
    select written_in::text as xid from outbox order by id desc limit 1`.execute(transfers.db);
  expect(BigInt(written.rows[0]?.xid ?? 0)).toBeGreaterThan(BigInt(rows[0]?.xid ?? 0));
  await transfers.execute(id);
  expect((await transfers.transfer(id)).status).toBe('FAILED');
});

test('an answer that was on its way when an administrator decided is judged against the decision', async () => {
  const { id, report } = await reportedWithAnotherAmount();
  const [exception] = await listed();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  transfers.script.beforeStatus = () => {
    asked.resolve();
    return answered.promise;
  };
  transfers.script.status = { kind: 'found', report: { ...report, state: 'completed', amount: '23033' } };
  transfers.clock.advance(60_000);
  const sweeping = transfers.sweep();
  await asked.promise;
  expect((await decide(exception?.id ?? '', 'not_paid')).status).toBe(200);
  answered.resolve();
  await sweeping;
  const resolved = { kind: 'different_amount', state: 'resolved', details: { amount: '23031' } };
  expect((await listed()).find(({ kind }) => kind === 'different_amount')).toMatchObject(resolved);
  const states = (await listed()).map(({ kind, state }) => `${kind} ${state}`);
  expect(states.sort()).toEqual(['contradicting_outcome open', 'different_amount resolved']);
  await transfers.execute(id);
  expect((await transfers.transfer(id)).status).toBe('FAILED');
  const recorded = (await transfers.messagesInOutbox()).flatMap(({ envelope }) => {
    const { calls = [] } = envelope.data as { calls?: { operation: string; transactionId: string | null }[] };
    return calls.filter(({ operation, transactionId }) => operation === 'status' && transactionId === id);
  });
  const { id: payoutId } = await transfers.payoutOf(id);
  expect(recorded).toHaveLength(transfers.inquiries.filter((asked) => asked === payoutId).length);
});

test('administrators cannot decide on their own transfers', async () => {
  const { id } = await reportedWithAnotherAmount(admin);
  const [exception] = await listed();
  expect((await decide(exception?.id ?? '', 'not_paid')).status).toBe(403);
  const path = `/internal/reconciliation/exceptions/${exception?.id}/take`;
  expect((await transfers.send('POST', path, { caller: admin })).status).toBe(403);
  // Nor close an exception that holds nothing: it may say that they were paid and got their money back.
  await transfers.db.updateTable('payout_exceptions').set({ kind: 'paid_but_failed' }).execute();
  expect((await decide(exception?.id ?? '')).status).toBe(403);
  expect((await transfers.transfer(id)).step).toBe('paying_out');
});

test('an exception resolved while its payout stayed open reopens when the provider repeats its report', async () => {
  const { report } = await reportedWithAnotherAmount();
  const resolved = { state: 'resolved' as const, note: 'as it should be', resolved_at: transfers.clock.now() };
  await transfers.db.updateTable('payout_exceptions').set(resolved).execute();
  await transfers.callback(report);
  expect(await listed()).toMatchObject([{ state: 'open', resolvedAt: null, holdsTransfer: true }]);
});

test('whoever decided on an exception is not responsible for it once it is open again', async () => {
  const { report } = await reportedWithAnotherAmount();
  const resolved = {
    ...{ state: 'resolved' as const, note: 'as it should be', resolved_at: transfers.clock.now() },
    ...{ owner: 'Baraka', owner_id: 'ADM2' },
  };
  await transfers.db.updateTable('payout_exceptions').set(resolved).execute();
  await transfers.callback(report);
  const [exception] = await listed();
  expect(exception).toMatchObject({ state: 'open', owner: null, ownerId: null });
  const take = (caller: Caller) =>
    transfers.send('POST', `/internal/reconciliation/exceptions/${exception?.id}/take`, { caller });
  expect((await take(admin)).body).toMatchObject({ owner: 'Neema', isOwnedByCaller: true });
  expect((await take({ ...admin, adminId: 'ADM2', name: 'Baraka' })).status).toBe(409);
  expect((await decide(exception?.id ?? '', 'not_paid')).status).toBe(200);
});

/** An open transfer whose payout the provider reports as failed, with a code that is in no documentation. */
async function failedForUnknownReason() {
  const { transaction } = await transfers.order(transfers.merchant());
  await transfers.execute(transaction.id);
  const { id: payoutId } = await transfers.payoutOf(transaction.id);
  const paid = await transfers.paidReport(payoutId);
  const report: PayoutReport = { ...paid, state: 'unknown', unknownFailure: 'LUNAR_ECLIPSE' };
  return { id: transaction.id as string, paid, report };
}

test('a callback with an unknown failure code proves nothing: the provider is asked at once', async () => {
  const { id, paid, report } = await failedForUnknownReason();
  transfers.script.status = { kind: 'found', report: { ...paid, state: 'processing' } };
  const before = transfers.inquiries.length;
  await transfers.callback(report);
  await until(() => transfers.inquiries.length > before);
  await until(async () => (await transfers.payoutOf(id)).state === 'processing');
  expect(await listed()).toEqual([]);
  transfers.script.status = { kind: 'found', report: paid };
  await transfers.callback(report);
  expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED' });
  expect(await listed()).toEqual([]);
});

test.each([
  ['paid', 'SETTLED', 'capture'],
  ['not_paid', 'FAILED', 'release'],
] as const)(
  'a status answer with an unknown failure code fails nothing, and a decision of %s ends the transfer',
  async (outcome, status, booked) => {
    const { id, paid, report } = await failedForUnknownReason();
    transfers.script.status = { kind: 'found', report };
    for (let hour = 0; hour < 3; hour += 1) {
      transfers.clock.advance(60 * 60_000);
      await transfers.sweep();
    }
    expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out' });
    const [exception, ...others] = await listed();
    expect(others).toEqual([]);
    expect(exception).toMatchObject({ kind: 'unknown_failure', holdsTransfer: true, state: 'open' });
    expect(exception?.details).toMatchObject({ unknownFailure: 'LUNAR_ECLIPSE', amount: paid.amount });
    expect((await decide(exception?.id ?? '')).status).toBe(400);
    expect((await decide(exception?.id ?? '', outcome)).status).toBe(200);
    await transfers.execute(id);
    expect(await transfers.transfer(id)).toMatchObject({ status });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', booked]);
    await transfers.callback(report);
    expect(await listed()).toMatchObject([{ kind: 'unknown_failure', state: 'resolved' }]);
    const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' } as const;
    await transfers.callback(outcome === 'paid' ? { ...paid, state: 'failed', failure } : paid);
    expect((await listed()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'contradicting_outcome open',
      'unknown_failure resolved',
    ]);
  },
);

test('a documented answer ends a transfer that waits for an unknown code, whose exception is resolved by a note', async () => {
  const { id, paid, report } = await failedForUnknownReason();
  transfers.script.status = { kind: 'found', report };
  transfers.clock.advance(60 * 60_000);
  await transfers.sweep();
  const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' } as const;
  transfers.script.status = { kind: 'found', report: { ...paid, state: 'failed', failure } };
  transfers.clock.advance(60 * 60_000);
  await transfers.sweep();
  expect(await transfers.ended(id)).toMatchObject({ status: 'FAILED', error_code: 'RECIPIENT_NOT_FOUND' });
  const [exception] = await listed();
  expect(exception).toMatchObject({ kind: 'unknown_failure', state: 'open', holdsTransfer: false });
  expect((await decide(exception?.id ?? '')).status).toBe(200);
});
