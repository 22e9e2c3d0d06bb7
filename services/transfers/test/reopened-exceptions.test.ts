import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import type { PayoutException } from '@vuka/contracts/http/reconciliation';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openException } from '#payouts/payout.store.ts';
import type { StatementLine } from '#payouts/payout-provider.ts';
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

const today = () => new Date(transfers.clock.now().getTime() + 3 * HOUR_MS).toISOString().slice(0, 10);
const laterDay = () => transfers.clock.advance(3 * 24 * HOUR_MS);

async function payoutThat(state: 'completed' | 'failed') {
  const { transaction } = await transfers.order(transfers.merchant());
  await transfers.execute(transaction.id);
  const report = await transfers.paidReport((await transfers.payoutOf(transaction.id)).id);
  const failure = { code: 'PAYER_LIMIT_REACHED', class: 'limit' } as const;
  await (state === 'completed' ? transfers.callback(report) : transfers.failedCallback({ ...report, failure }));
  await transfers.ended(transaction.id);
  return transfers.payoutOf(transaction.id);
}
type Payout = Awaited<ReturnType<typeof payoutThat>>;

function lineOf(payout: Payout, of: Partial<StatementLine> = {}): StatementLine {
  const { id: clientPayoutId, amount: amountMinor, currency, destination_account: msisdn } = payout;
  return { clientPayoutId, amountMinor, currency, msisdn, recordedAt: transfers.clock.now(), ...of };
}

/** The exceptions after a day, by default today, was compared with these payments. */
async function reconcile(lines: StatementLine[], day = today()): Promise<PayoutException[]> {
  transfers.script.statement = { kind: 'lines', lines };
  transfers.clock.advance(2 * HOUR_MS);
  const asked = await transfers.send('POST', '/internal/reconciliation/runs', { payload: { day }, caller: admin });
  expect(asked.status).toBe(202);
  return until(async () => {
    const { body } = await transfers.send('GET', '/internal/reconciliation', { caller: admin });
    return body.runs[0].state === 'running' ? null : body.exceptions;
  });
}

async function resolve({ id }: PayoutException, note = 'claimed'): Promise<void> {
  const url = `/internal/reconciliation/exceptions/${id}/resolve`;
  expect((await transfers.send('POST', url, { payload: { note }, caller: admin })).status).toBe(200);
}

async function only(exceptions: Promise<PayoutException[]> | PayoutException[]): Promise<PayoutException> {
  const [exception, ...others] = await exceptions;
  if (!exception) throw new Error('there is no exception');
  expect(others).toEqual([]);
  return exception;
}
const listed = async () => (await transfers.send('GET', '/internal/reconciliation', { caller: admin })).body.exceptions;

const CASES: [string, () => Promise<{ first: StatementLine[]; later: () => StatementLine[] }>, number][] = [
  [
    'paid_twice',
    async () => {
      const payout = await payoutThat('completed');
      const first = [lineOf(payout), lineOf(payout, { recordedAt: new Date(transfers.clock.now().getTime() + 1) })];
      return { first, later: () => [lineOf(payout)] };
    },
    3,
  ],
  [
    'paid_but_failed',
    async () => {
      const payout = await payoutThat('failed');
      return { first: [lineOf(payout)], later: () => [lineOf(payout)] };
    },
    2,
  ],
  [
    'paid_without_order',
    async () => {
      const unknown = lineOf(await payoutThat('failed'), { clientPayoutId: randomUUID() });
      return { first: [unknown], later: () => [{ ...unknown, recordedAt: transfers.clock.now() }] };
    },
    2,
  ],
];

describe.each(CASES)('an exception %s that an administrator has resolved', (kind, begin, payments) => {
  test('stays so if its day is compared again, and is open again, without an owner, after another payment', async () => {
    const { first, later } = await begin();
    const day = today();
    const exception = await only(reconcile(first));
    expect(exception).toMatchObject({ kind, state: 'open', details: { theirs: { payments: payments - 1 } } });
    await resolve(exception);
    expect(await only(reconcile(first, day))).toMatchObject({ state: 'resolved', note: 'claimed', owner: 'Neema' });
    laterDay();
    const recordedAt = transfers.clock.now().toISOString();
    const another = later();
    const reopened = await only(reconcile(another));
    expect(reopened).toMatchObject({ id: exception.id, kind, state: 'open', resolvedAt: null, owner: null });
    expect(reopened.details.theirs).toMatchObject({ recordedAt, payments });
    const actions = (await transfers.messagesInOutbox()).filter(({ envelope }) => envelope.subject === exception.id);
    expect(actions.map(({ envelope }) => envelope.data)).toMatchObject([
      { action: 'exception.resolved', reason: 'claimed' },
    ]);
    await resolve(reopened, 'claimed too');
    const { details } = await only(listed());
    expect(await only(reconcile(first, day))).toMatchObject({ state: 'resolved', note: 'claimed too', details });
  });
});

test('a resolved exception of different figures is open again after yet other figures', async () => {
  const payout = await payoutThat('completed');
  const wrong = lineOf(payout, { amountMinor: payout.amount + 1n });
  await resolve(await only(reconcile([wrong])));
  expect(await only(reconcile([wrong]))).toMatchObject({ kind: 'different_figures', state: 'resolved' });
  const other = { ...wrong, amountMinor: payout.amount + 2n };
  expect(await only(reconcile([other]))).toMatchObject({ kind: 'different_figures', state: 'open' });
});

test('a payment at the time of the first ones is another payment', async () => {
  const payout = await payoutThat('completed');
  const line = lineOf(payout);
  await resolve(await only(reconcile([line, line])));
  expect(await only(reconcile([line, line]))).toMatchObject({ kind: 'paid_twice', state: 'resolved' });
  const third = await only(reconcile([line, line, line]));
  expect(third).toMatchObject({ state: 'open', details: { theirs: { payments: 3 } } });
});

test('a payment that was not seen before keeps the owner of an open exception, and counts', async () => {
  const payout = await payoutThat('failed');
  const { id } = await only(reconcile([lineOf(payout)]));
  await transfers.send('POST', `/internal/reconciliation/exceptions/${id}/take`, { caller: admin });
  laterDay();
  const again = await only(reconcile([lineOf(payout)]));
  expect(again).toMatchObject({ state: 'open', owner: 'Neema', details: { theirs: { payments: 2 } } });
});

test('a resolved contradiction is open again after a report of other figures, and not after the same one', async () => {
  const payout = await payoutThat('failed');
  const report = await transfers.paidReport(payout.id);
  await transfers.callback(report);
  const exception = await only(listed());
  expect(exception).toMatchObject({ kind: 'contradicting_outcome', state: 'open' });
  await resolve(exception);
  await transfers.callback(report);
  expect(await only(listed())).toMatchObject({ state: 'resolved' });
  await transfers.callback({ ...report, amount: '23029' });
  const reopened = await only(listed());
  expect(reopened).toMatchObject({ id: exception.id, state: 'open', owner: null, details: { amount: '23029' } });
});

test('an exception that release 0.1 resolved is open again after a payment of another day only', async () => {
  const payout = await payoutThat('completed');
  const lines = [lineOf(payout), lineOf(payout, { recordedAt: new Date(transfers.clock.now().getTime() + 1) })];
  const day = today();
  await resolve(await only(reconcile(lines)));
  await transfers.db.updateTable('payout_exceptions').set({ evidence: [] }).execute();
  expect(await only(reconcile(lines, day))).toMatchObject({ state: 'resolved' });
  await transfers.db.updateTable('payout_exceptions').set({ evidence: [] }).execute();
  laterDay();
  const reopened = await only(reconcile([lineOf(payout)]));
  expect(reopened).toMatchObject({ state: 'open', details: { theirs: { payments: 3 } } });
});

test('the statement of a payment that a report told of first is no news', async () => {
  const line = lineOf(await payoutThat('failed'), { clientPayoutId: randomUUID() });
  const theirs = { clientPayoutId: line.clientPayoutId, state: 'completed' };
  const told = { payoutId: line.clientPayoutId, transactionId: null, details: { ours: null, theirs } };
  await openException(transfers.db, { ...told, kind: 'paid_without_order', at: transfers.clock.now() });
  await resolve(await only(listed()));
  expect(await only(reconcile([line]))).toMatchObject({ state: 'resolved' });
  laterDay();
  expect(await only(reconcile([{ ...line, recordedAt: transfers.clock.now() }]))).toMatchObject({ state: 'open' });
});

test('of two payments without an order, the first is the order’s once it was sent again', async () => {
  const payout = await payoutThat('completed');
  const callIt = (from: string, to: string) =>
    transfers.db.updateTable('money_transfers').set({ id: to }).where('id', '=', from).execute();
  const elsewhere = randomUUID();
  await callIt(payout.id, elsewhere);
  await reconcile([lineOf(payout)]);
  laterDay();
  const second = [lineOf(payout)];
  await reconcile(second);
  await callIt(elsewhere, payout.id);
  const kinds = (await reconcile(second)).map(({ kind }) => kind);
  expect(kinds).toContain('paid_twice');
});
