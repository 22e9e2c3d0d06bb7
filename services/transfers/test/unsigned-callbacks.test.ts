import { randomUUID } from 'node:crypto';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers({ VUKA_PAYOUT_CHECK_SECONDS: 60 });
});
afterAll(() => transfers.stop());
beforeEach(async () => {
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  transfers.script.status = { kind: 'ambiguous', reason: 'no answer' };
  transfers.script.beforeAnswer = async () => undefined;
  await transfers.db.deleteFrom('payout_exceptions').execute();
});

const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' } as const;

/** A transfer whose payout was sent ten seconds ago. */
async function payingOut() {
  const { transaction } = await transfers.order(transfers.merchant());
  const id = transaction.id as string;
  await transfers.execute(id);
  const { id: payoutId } = await transfers.payoutOf(id);
  transfers.clock.advance(10_000);
  return { id, payoutId, paid: await transfers.paidReport(payoutId) };
}

const askedAbout = (payoutId: string) => transfers.inquiries.filter((asked) => asked === payoutId).length;
const exceptions = () => transfers.db.selectFrom('payout_exceptions').select('kind').execute();
/** The version counts the changes to the transfer. */
const rowsOf = async (id: string) => {
  const { id: _, updated_at: _at, ...payout } = await transfers.payoutOf(id);
  return { version: (await transfers.transfer(id)).version, payout };
};

test.each<[string, Partial<PayoutReport>]>([
  ['failed', { state: 'failed', failure }],
  ['was paid', { state: 'completed' }],
  ['has other figures', { amount: '1' }],
  ['has no figures', { amount: undefined as never }],
  ['is under way', { state: 'processing' }],
  ['failed with an unknown code', { state: 'unknown', unknownFailure: 'LUNAR_ECLIPSE' }],
])('an unsigned callback that a payout %s changes nothing, and has the provider asked at once', async (_, said) => {
  const { id, payoutId, paid } = await payingOut();
  const before = await rowsOf(id);
  expect((await transfers.unsignedCallback({ ...paid, ...said })).body).toEqual({ results: [{ status: 200 }] });
  await until(() => askedAbout(payoutId) === 1);
  await until(async () => (await rowsOf(id)).version === before.version + 2);
  expect((await rowsOf(id)).payout).toEqual(before.payout);
  expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out', status: 'PROCESSING' });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
  expect(await exceptions()).toEqual([]);
  expect(await transfers.callsOf(id)).toEqual(['submit', 'callback', 'status']);
});

test('a signed callback that a payout failed only has the provider asked, at once and whatever its figures', async () => {
  // The provider signs callbacks of all its customers with the same keys, and a sender can compute the id of the own payout.
  const { id, payoutId, paid } = await payingOut();
  transfers.script.status = { kind: 'found', report: { ...paid, state: 'processing' } };
  for (const [asked, figures] of [{}, { amount: '1' }].entries()) {
    await transfers.callback({ ...paid, state: 'failed', failure, ...figures });
    await until(() => askedAbout(payoutId) === asked + 1);
    await until(async () => (await transfers.payoutOf(id)).state === 'processing');
  }
  expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out' });
  expect(await exceptions()).toEqual([]);
  transfers.script.status = { kind: 'found', report: paid };
  await transfers.callback({ ...paid, state: 'failed', failure });
  expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED' });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
});

test('a signed callback that a payout failed ends it at once if the provider says so too, even before our request is answered', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  const id = transaction.id as string;
  transfers.script.beforeAnswer = async (payoutId) => {
    const failed = { ...(await transfers.paidReport(payoutId)), state: 'failed' as const, failure };
    transfers.script.status = { kind: 'found', report: failed };
    await transfers.callback(failed);
    await transfers.ended(id);
  };
  await transfers.execute(id);
  expect(await transfers.transfer(id)).toMatchObject({ status: 'FAILED' });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'release']);
});

test('a signed callback that a payout failed, of which the provider knows nothing, fails nothing', async () => {
  const { id, payoutId, paid } = await payingOut();
  transfers.script.status = { kind: 'not_found' };
  await transfers.callback({ ...paid, state: 'failed', failure });
  await until(() => askedAbout(payoutId) === 1);
  transfers.clock.advance(3_600_000);
  await transfers.sweep();
  expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out' });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
  const ofTransfer = transfers.db.selectFrom('payout_exceptions').select('kind').where('transaction_id', '=', id);
  expect(await ofTransfer.execute()).toEqual([{ kind: 'lost_by_provider' }]);
});

test('what the provider answers is applied, whatever the unsigned callback said', async () => {
  const { id, payoutId, paid } = await payingOut();
  transfers.script.status = { kind: 'found', report: paid };
  await transfers.unsignedCallback({ ...paid, state: 'failed', failure });
  expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED' });
  expect(askedAbout(payoutId)).toBe(1);
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
});

test('an unsigned callback about a payout that has ended, or that is unknown, opens no exception', async () => {
  const { id, payoutId, paid } = await payingOut();
  await transfers.callback(paid);
  const { version } = await transfers.ended(id);
  await transfers.unsignedCallback({ ...paid, state: 'failed', failure });
  await transfers.unsignedCallback({ ...paid, amount: '1' });
  await transfers.unsignedCallback({ ...paid, clientPayoutId: randomUUID() });
  expect(await exceptions()).toEqual([]);
  expect((await transfers.transfer(id)).version).toBe(version);
  expect(askedAbout(payoutId)).toBe(0);
  expect(await transfers.callsOf(id)).toEqual(['submit', 'callback']);
});

test('many unsigned callbacks about a payout have the provider asked once in five seconds', async () => {
  const { id, payoutId, paid } = await payingOut();
  const flood = () => Promise.all(Array.from({ length: 20 }, () => transfers.unsignedCallback(paid)));
  await flood();
  await until(() => askedAbout(payoutId) === 1);
  await until(async () => (await transfers.callsOf(id)).includes('status'));
  transfers.clock.advance(1_000);
  await flood();
  await flood();
  await transfers.sweep();
  expect(askedAbout(payoutId)).toBe(1);
  transfers.clock.advance(4_000);
  await transfers.sweep();
  expect(askedAbout(payoutId)).toBe(2);
  expect(await transfers.callsOf(id)).toEqual(['submit', 'callback', 'status', 'callback', 'status']);
});

test('an unsigned callback keeps the refusal of a first request proof, and has nothing sent again', async () => {
  const { transaction } = await transfers.order(transfers.merchant());
  const id = transaction.id as string;
  transfers.script.submit = { kind: 'rejected', failure };
  transfers.script.beforeAnswer = async (payoutId) => {
    transfers.clock.advance(10_000);
    await transfers.unsignedCallback(await transfers.paidReport(payoutId));
  };
  await transfers.executeHere(id);
  expect(await transfers.ended(id)).toMatchObject({ status: 'FAILED' });
  expect(transfers.submits.filter((submit) => submit.body.includes(id))).toHaveLength(1);
});
