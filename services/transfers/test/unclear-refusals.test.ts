import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import type { PayoutException } from '@vuka/contracts/http/reconciliation';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { advanceTransfer } from '#saga/advance-transfer.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
let admin: Caller;
beforeAll(async () => {
  transfers = await createTransfers();
  admin = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1', name: 'Neema' };
});
afterAll(() => transfers.stop());
beforeEach(() => {
  transfers.script.submitFirst = [];
  transfers.script.submit = UNCLEAR;
  transfers.script.status = { kind: 'not_found' };
});

const UNCLEAR = { kind: 'ambiguous', reason: 'answered 200 LUNAR_ECLIPSE', unknownFailure: 'LUNAR_ECLIPSE' } as const;
const SILENT = { kind: 'ambiguous', reason: 'no answer' } as const;

async function ordered() {
  const { transaction } = await transfers.order(transfers.merchant());
  const id = transaction.id as string;
  await transfers.execute(id);
  return { id, payoutId: (await transfers.payoutOf(id)).id };
}

/** Sweeps every five minutes, as often as the payout is asked about at most. */
async function sweepFor(minutes: number) {
  for (let passed = 0; passed < minutes; passed += 5) {
    transfers.clock.advance(5 * 60_000);
    await transfers.sweep();
    await transfers.sweep();
  }
}

/** A transfer that waits for a decision: the provider has refused its payout twice with an unknown code. */
async function held() {
  const order = await ordered();
  await sweepFor(60);
  return order;
}

const submitsOf = (payoutId: string) => transfers.submits.filter((submit) => submit.id === payoutId).length;
const exceptionsOf = async (id: string): Promise<PayoutException[]> => {
  const { body } = await transfers.send('GET', '/internal/reconciliation', { caller: admin });
  return body.exceptions.filter(({ transactionId }: PayoutException) => transactionId === id);
};
const decide = async (id: string, outcome?: 'paid' | 'not_paid') => {
  const [exception] = await exceptionsOf(id);
  return transfers.send('POST', `/internal/reconciliation/exceptions/${exception?.id ?? randomUUID()}/resolve`, {
    payload: { note: 'The provider has looked it up', ...(outcome ? { outcome } : {}) },
    caller: admin,
  });
};

test('the code of a first refusal is kept, proves nothing, and the payout is sent again after the grace time', async () => {
  const { id, payoutId } = await ordered();
  expect(await transfers.payoutOf(id)).toMatchObject({ state: 'unknown', failure_code: 'LUNAR_ECLIPSE' });
  await sweepFor(10);
  expect(submitsOf(payoutId)).toBe(1);
  await sweepFor(10);
  expect(submitsOf(payoutId)).toBe(2);
  expect(await transfers.payoutOf(id)).toMatchObject({ state: 'unknown', failure_code: 'LUNAR_ECLIPSE' });
  expect(await exceptionsOf(id)).toEqual([]);
  expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out' });
});

test('a payout that is refused again, and still unknown to the provider, is held, and not sent again', async () => {
  const { id, payoutId } = await held();
  expect(await exceptionsOf(id)).toMatchObject([
    {
      kind: 'unknown_failure',
      state: 'open',
      holdsTransfer: true,
      payoutId,
      details: {
        ours: { amount: '23030.00', currency: 'TZS', msisdn: '255763456700' },
        theirs: { unknownFailure: 'LUNAR_ECLIPSE' },
      },
    },
  ]);
  await sweepFor(60);
  await advanceTransfer(transfers.deps, id, { isRetry: true });
  expect(submitsOf(payoutId)).toBe(2);
  expect(await exceptionsOf(id)).toHaveLength(1);
  expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out' });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
});

test.each([
  ['paid', 'SETTLED', 'capture'],
  ['not_paid', 'FAILED', 'release'],
] as const)('an administrator’s decision of %s ends a held transfer as %s', async (outcome, status, booked) => {
  const { id } = await held();
  expect((await decide(id)).status).toBe(400);
  expect((await decide(id, outcome)).status).toBe(200);
  await transfers.execute(id);
  expect(await transfers.transfer(id)).toMatchObject({ status });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold', booked]);
});

test('a final answer of the provider ends a held transfer, whose exception is resolved by a note', async () => {
  const { id, payoutId } = await held();
  transfers.script.status = { kind: 'found', report: await transfers.paidReport(payoutId) };
  await sweepFor(5);
  expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED' });
  expect(await exceptionsOf(id)).toMatchObject([{ state: 'open', holdsTransfer: false }]);
  expect((await decide(id)).status).toBe(200);
});

test('an answer that the payout is under way takes the decision away: the money must not return now', async () => {
  const { id, payoutId } = await held();
  transfers.script.status = {
    kind: 'found',
    report: { ...(await transfers.paidReport(payoutId)), state: 'processing' },
  };
  await sweepFor(5);
  expect(await exceptionsOf(id)).toMatchObject([{ state: 'resolved', holdsTransfer: false }]);
  expect((await decide(id, 'not_paid')).status).toBe(409);
});

test('once its code is documented as one that the operator mends, a held payout is sent again, and no longer decided', async () => {
  const { id, payoutId } = await held();
  await transfers.db
    .updateTable('money_transfers')
    .set({ failure_code: 'PAWAPAY_WALLET_OUT_OF_FUNDS' })
    .where('id', '=', payoutId)
    .execute();
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  await sweepFor(5);
  expect(submitsOf(payoutId)).toBe(3);
  expect(await exceptionsOf(id)).toMatchObject([{ state: 'resolved', note: 'The payout is sent again.' }]);
  expect((await decide(id, 'not_paid')).status).toBe(409);
});

test('a failure with an unknown code is still held while the provider repeats it', async () => {
  const { id, payoutId } = await held();
  const paid = await transfers.paidReport(payoutId);
  transfers.script.status = { kind: 'found', report: { ...paid, state: 'unknown', unknownFailure: 'LUNAR_ECLIPSE' } };
  await sweepFor(10);
  expect(await exceptionsOf(id)).toMatchObject([{ state: 'open', holdsTransfer: true }]);
});

test.each([
  ['without an answer', SILENT],
  [
    'because our float is empty',
    { kind: 'rejected', failure: { code: 'PAWAPAY_WALLET_OUT_OF_FUNDS', class: 'float' } },
  ],
] as const)('a payout whose last request ended %s is not held, but sent again', async (_, answer) => {
  transfers.script.submitFirst = [UNCLEAR, answer];
  const { id, payoutId } = await ordered();
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  await sweepFor(45);
  expect(submitsOf(payoutId)).toBe(3);
  expect(await transfers.payoutOf(id)).toMatchObject({ is_acknowledged: true, failure_code: null });
});
