import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PayoutFailure, PayoutReport } from '#payouts/payout-provider.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());
beforeEach(() => {
  transfers.script.submitFirst = [];
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  transfers.script.status = { kind: 'not_found' };
  transfers.script.beforeAnswer = async () => undefined;
});

const MINUTE_MS = 60_000;
const closed = { code: 'PROVIDER_TEMPORARILY_UNAVAILABLE', class: 'provider_down' } as const;
const forbidden = { code: 'PAYOUTS_NOT_ALLOWED', class: 'config' } as const;
const rejected = (failure: PayoutFailure) => ({ kind: 'rejected' as const, failure });

/** A payout whose worker sent it and died before it could write the answer. */
async function sentByDeadWorker() {
  const { transaction } = await transfers.order(transfers.merchant());
  const id = transaction.id as string;
  transfers.script.beforeAnswer = () => Promise.reject(new Error('the worker dies'));
  await expect(transfers.execute(id)).rejects.toThrow('the worker dies');
  transfers.script.beforeAnswer = async () => undefined;
  return { id, payoutId: (await transfers.payoutOf(id)).id };
}

const submitsOf = (payoutId: string) => transfers.submits.filter((submit) => submit.id === payoutId);
const stateOf = async (id: string) => {
  const { state, failure_code: code } = await transfers.payoutOf(id);
  return { step: (await transfers.transfer(id)).step, state, code };
};
async function sweepAfter(minutes: number) {
  transfers.clock.advance(minutes * MINUTE_MS);
  await transfers.sweep();
}

test.each([
  ['of a closed network', closed],
  ['of a forbidden account', forbidden],
])(
  'a repeat refused because %s does not fail the transfer, and the paid first request settles it',
  async (_reason, failure) => {
    const { id, payoutId } = await sentByDeadWorker();
    transfers.script.submit = rejected(failure);
    await transfers.execute(id);
    expect(await stateOf(id)).toEqual({ step: 'paying_out', state: 'unknown', code: failure.code });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
    transfers.script.status = { kind: 'found', report: await transfers.paidReport(payoutId) };
    await sweepAfter(1);
    expect((await transfers.transfer(id)).status).toBe('SETTLED');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
  },
);

test('a first request refused while a repeat is in flight does not fail the transfer', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let request = 0;
  transfers.script.beforeAnswer = () => {
    const index = request++;
    asked[index]?.resolve();
    return answers[index]?.promise ?? Promise.resolve();
  };
  transfers.script.submitFirst = [rejected(closed), { kind: 'accepted', state: 'accepted' }];
  const first = transfers.execute(transaction.id);
  await asked[0]?.promise;
  const second = transfers.execute(transaction.id);
  await asked[1]?.promise;
  answers[0]?.resolve();
  await first;
  expect((await transfers.transfer(transaction.id)).step).toBe('paying_out');
  answers[1]?.resolve();
  await second;
  expect(transfers.fakes.appliedFor(transaction.id)).toEqual(['hold']);
});

test('a repeat that is refused within the grace time of the first request is sent again, and fails after another', async () => {
  const { id, payoutId } = await sentByDeadWorker();
  transfers.clock.advance(14 * MINUTE_MS);
  transfers.script.submit = rejected(closed);
  await transfers.execute(id);
  await sweepAfter(14);
  expect((await transfers.transfer(id)).step).toBe('paying_out');
  await sweepAfter(6);
  await transfers.sweep();
  expect((await transfers.transfer(id)).step).toBe('paying_out');
  expect(submitsOf(payoutId)).toHaveLength(3);
  await sweepAfter(14);
  expect((await transfers.transfer(id)).step).toBe('paying_out');
  await sweepAfter(6);
  expect(await transfers.transfer(id)).toMatchObject({ status: 'FAILED', error_code: closed.code });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'release']);
});

test('a retry of a refused repeat resends it under its id, and another refusal does not fail it', async () => {
  const { id, payoutId } = await sentByDeadWorker();
  transfers.script.submit = rejected(closed);
  await transfers.execute(id);
  const { advanceTransfer } = await import('#saga/advance-transfer.ts');
  await advanceTransfer(transfers.deps, id, { isRetry: true });
  expect(submitsOf(payoutId)).toHaveLength(3);
  expect(await stateOf(id)).toEqual({ step: 'paying_out', state: 'unknown', code: closed.code });
});

test('a repeat refused for a reason that the operator must fix is polled and resent before the grace time', async () => {
  const { id, payoutId } = await sentByDeadWorker();
  transfers.script.submit = rejected(forbidden);
  await transfers.execute(id);
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  await sweepAfter(1);
  await transfers.sweep();
  expect(transfers.inquiries).toContain(payoutId);
  expect(submitsOf(payoutId)).toHaveLength(3);
  expect(await stateOf(id)).toEqual({ step: 'paying_out', state: 'accepted', code: null });
});

test('a repeat whose worker also dies is polled', async () => {
  const { id, payoutId } = await sentByDeadWorker();
  transfers.script.beforeAnswer = () => Promise.reject(new Error('the worker dies'));
  await expect(transfers.execute(id)).rejects.toThrow('the worker dies');
  await transfers.execute(id);
  expect(transfers.inquiries).toContain(payoutId);
  expect(submitsOf(payoutId)).toHaveLength(2);
  expect(await transfers.payoutOf(id)).toMatchObject({ submissions: 1, submitted_at: expect.any(Date) });
});

/** Sends a payout; `meanwhile` runs once the provider has the request, before its answer. */
async function sent(meanwhile: (id: string, payoutId: string) => Promise<unknown>) {
  const { transaction } = await transfers.order(transfers.merchant());
  const id = transaction.id as string;
  transfers.script.beforeAnswer = async (payoutId) => {
    transfers.script.beforeAnswer = async () => undefined;
    await meanwhile(id, payoutId);
  };
  await transfers.execute(id);
  return { id, payoutId: (await transfers.payoutOf(id)).id };
}

test.each([
  ['without its figures', ({ clientPayoutId, state }: PayoutReport) => ({ clientPayoutId, state })],
  ['with another amount', (report: PayoutReport) => ({ ...report, amount: '23031' })],
])('a payout that the provider reports %s before it answers the request is not sent again', async (_, misfit) => {
  const { id, payoutId } = await sent(async (_id, reported) => {
    await transfers.callback(misfit(await transfers.paidReport(reported)));
  });
  await sweepAfter(60);
  await sweepAfter(60);
  expect(submitsOf(payoutId)).toHaveLength(1);
  expect(transfers.inquiries).toContain(payoutId);
  expect(await stateOf(id)).toMatchObject({ step: 'paying_out' });
});

test('an acceptance counts although another worker, whose repeat was refused, has changed the transfer meanwhile', async () => {
  transfers.script.submitFirst = [rejected(closed)];
  const { id, payoutId } = await sent((id) => transfers.execute(id));
  transfers.script.submit = rejected(closed);
  for (let hour = 0; hour < 3; hour++) await sweepAfter(60);
  expect(submitsOf(payoutId)).toHaveLength(2);
  expect(await transfers.payoutOf(id)).toMatchObject({ is_acknowledged: true });
  expect((await transfers.transfer(id)).step).toBe('paying_out');
});

test('the first request from restored books counts as a repeat, since an earlier one may have been sent', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  const { metadata } = await transfers.transfer(transaction.id);
  await transfers.db
    .updateTable('transactions')
    .set({ metadata: JSON.stringify({ ...metadata, isRestored: true }) })
    .where('id', '=', transaction.id)
    .execute();
  transfers.script.submit = rejected(closed);
  await transfers.execute(transaction.id);
  expect(await stateOf(transaction.id)).toEqual({ step: 'paying_out', state: 'unknown', code: closed.code });
});
