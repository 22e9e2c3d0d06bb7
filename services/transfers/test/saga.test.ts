import type { PayoutException } from '@vuka/contracts/http/reconciliation';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { advanceTransfer } from '#saga/advance-transfer.ts';
import { transitionOf } from '#saga/step.ts';
import { commitTransitions } from '#saga/transition.store.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());
beforeEach(() => {
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  transfers.script.status = { kind: 'ambiguous', reason: 'not scripted' };
  transfers.script.beforeAnswer = async () => undefined;
  Object.assign(transfers.fakes.switches, {
    walletUnavailable: false,
    identityUnavailable: false,
    walletAnswersLost: 0,
  });
});

const MINUTE_MS = 60_000;
const limitFailure = { code: 'WALLET_LIMIT_REACHED', class: 'limit' } as const;

async function accepted(order: Parameters<Transfers['order']>[1] = {}) {
  const amina = transfers.merchant();
  const { transaction } = await transfers.order(amina, order);
  return { amina, id: transaction.id as string };
}

async function payingOut() {
  const { amina, id } = await accepted();
  await transfers.execute(id);
  return { amina, id, payout: await transfers.payoutOf(id) };
}

const submitsOf = (payoutId: string) => transfers.submits.filter((submit) => submit.id === payoutId);
const completed = (payoutId: string, fields: Partial<PayoutReport> = {}): PayoutReport => ({
  clientPayoutId: payoutId,
  state: 'completed',
  amount: '23030',
  currency: 'TZS',
  msisdn: '255763456700',
  ...fields,
});
const exceptions = (id: string) =>
  transfers.db.selectFrom('payout_exceptions').select('kind').where('transaction_id', '=', id).execute();

/** The value of a metric under these labels. */
async function counted(figure: string, labels: Record<string, string>): Promise<number> {
  const wanted = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  const line = (await transfers.metrics.text())
    .split('\n')
    .find((text) => text.startsWith(`${figure}{`) && wanted.every((label) => text.includes(label)));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test('of two concurrent steps of one transfer, only the one taken is counted', async () => {
  const { id } = await accepted();
  const refused = {
    type: 'hold_refused' as const,
    code: 'insufficient_funds',
    reason: [{ code: 'insufficient_funds' as const }],
  };
  const transfer = await transfers.transfer(id);
  const steps = [1, 2].map(() => transitionOf(transfer, refused, transfers.clock.now()));
  const failed = () => counted('vuka_transfer_seconds_count', { type: 'transfer', status: 'FAILED' });
  const before = await failed();
  expect(await Promise.all(steps.map((step) => transfers.deps.transitions.submit(step)))).toEqual([true, false]);
  expect(await failed()).toBe(before + 1);
});

describe('a payout that is made', () => {
  test('is counted once by answer and outcome, however often its callback arrives', async () => {
    const figures = async () => ({
      settled: await counted('vuka_transfer_seconds_count', { type: 'transfer', status: 'SETTLED' }),
      accepted: await counted('vuka_provider_answers_total', { call: 'submit', answer: 'accepted' }),
      callbacks: await counted('vuka_provider_answers_total', { call: 'callback', answer: 'verified' }),
    });
    const before = await figures();
    const { id, payout } = await payingOut();
    await Promise.all([transfers.callback(completed(payout.id)), transfers.callback(completed(payout.id))]);
    await transfers.ended(id);
    await transfers.callback(completed(payout.id));
    expect(await figures()).toEqual({
      settled: before.settled + 1,
      accepted: before.accepted + 1,
      callbacks: before.callbacks + 3,
    });
  });

  test('is submitted once, settled by the callback, and booked once', async () => {
    const { amina, id, payout } = await payingOut();
    expect(payout).toMatchObject({
      state: 'accepted',
      submissions: 1,
      amount: 23_030_00n,
      destination_account: '255763456700',
    });
    expect((await transfers.callback(completed(payout.id))).body.results).toEqual([{ status: 200 }]);
    expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED', step: 'settled' });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
    expect(submitsOf(payout.id)).toHaveLength(1);
    expect(await transfers.lifecycle(id)).toEqual(['PENDING', 'PROCESSING', 'PROCESSING', 'SETTLED']);
    expect(await transfers.messages(id)).toEqual([
      'transfer.created.v1',
      'transfer.execute.v1',
      'transfer.processing.v1',
      'transfer.settled.v1',
    ]);
    expect(transfers.fakes.balances.get(amina.userId)).toBe(99_000_00n);
  });

  test('is booked once however many callbacks arrive in parallel', async () => {
    const { id, payout } = await payingOut();
    await Promise.all(Array.from({ length: 10 }, () => transfers.callback(completed(payout.id))));
    await transfers.ended(id);
    await transfers.callback(completed(payout.id, { amount: '23030.0000' }));
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
    expect(await transfers.lifecycle(id)).toEqual(['PENDING', 'PROCESSING', 'PROCESSING', 'SETTLED']);
  });

  test('records a callback once, although another one changed the transfer first', async () => {
    const { id, payout } = await payingOut();
    await Promise.all([transfers.callback(completed(payout.id)), transfers.callback(completed(payout.id))]);
    await transfers.ended(id);
    expect(await transfers.callsOf(id)).toEqual(['submit', 'callback', 'callback']);
  });

  test('records every callback, including concurrent ones after its end', async () => {
    const { id, payout } = await payingOut();
    await transfers.callback(completed(payout.id));
    await transfers.ended(id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => transfers.callback(completed(payout.id))));
    expect(answers.map(({ body }) => body.results)).toEqual(Array(20).fill([{ status: 200 }]));
    expect(await transfers.callsOf(id)).toEqual(['submit', ...Array(21).fill('callback')]);
  });

  test('is sent under the same id after a restore to before it, and is not paid twice', async () => {
    const { id } = await accepted();
    const before = await transfers.transfer(id);
    await transfers.execute(id);
    const first = await transfers.payoutOf(id);
    await transfers.db.deleteFrom('money_transfers').where('transaction_id', '=', id).execute();
    const { status, step, version, attempts, next_action_at } = before;
    const past = { status, step, version, attempts, next_action_at };
    await transfers.db.updateTable('transactions').set(past).where('id', '=', id).execute();

    transfers.script.submit = { kind: 'duplicate' };
    transfers.script.status = { kind: 'found', report: completed(first.id) };
    await transfers.execute(id);
    await transfers.execute(id);
    expect((await transfers.payoutOf(id)).id).toBe(first.id);
    expect(submitsOf(first.id)).toHaveLength(2);
    expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED' });
  });

  test('is booked once, and counts as sent, when the callback precedes the answer', async () => {
    transfers.script.beforeAnswer = (payoutId) => transfers.callback(completed(payoutId));
    const { id, payout } = await payingOut();
    expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED' });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
    expect(payout).toMatchObject({ state: 'completed', submissions: 1 });
    expect(await transfers.callsOf(id)).toEqual(['callback', 'submit']);
    expect(await transfers.lifecycle(id)).toEqual(['PENDING', 'PROCESSING', 'PROCESSING', 'SETTLED']);
  });

  test('is found by polling when its callback never arrives', async () => {
    const { id, payout } = await payingOut();
    transfers.script.status = { kind: 'found', report: completed(payout.id) };
    await transfers.sweep();
    expect((await transfers.transfer(id)).status).toBe('PROCESSING');
    transfers.clock.advance(11_000);
    await transfers.sweep();
    expect((await transfers.transfer(id)).status).toBe('SETTLED');
  });

  test('is booked once an unavailable wallet is back', async () => {
    const { id, payout } = await payingOut();
    transfers.fakes.switches.walletUnavailable = true;
    expect((await transfers.callback(completed(payout.id))).body.results).toEqual([{ status: 200 }]);
    await transfers.execute(id);
    expect(await transfers.transfer(id)).toMatchObject({ status: 'PROCESSING', step: 'capturing' });
    transfers.fakes.switches.walletUnavailable = false;
    transfers.clock.advance(MINUTE_MS);
    await transfers.sweep();
    expect((await transfers.transfer(id)).status).toBe('SETTLED');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
  });

  test('is one payout when the command is delivered five times at once', async () => {
    const { id } = await accepted();
    await Promise.all(Array.from({ length: 5 }, () => transfers.execute(id)));
    const payouts = await transfers.db
      .selectFrom('money_transfers')
      .select('id')
      .where('transaction_id', '=', id)
      .execute();
    expect(payouts).toHaveLength(1);
    expect(new Set(submitsOf(payouts[0]!.id).map((submit) => submit.body)).size).toBe(1);
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
  });
});

describe('a recipient who is a merchant', () => {
  test('is paid into the wallet, sees the incoming money, and no payout is made', async () => {
    const juma = transfers.merchant(0n);
    transfers.fakes.merchants.set('+255754999001', { userId: juma.userId, name: 'Juma Said' });
    const { amina, id } = await accepted({ recipientPhone: '+255754999001' });
    await transfers.execute(id);
    expect(await transfers.transfer(id)).toMatchObject({ status: 'SETTLED', recipient_user_id: juma.userId });
    const capture = transfers.fakes.applied.find((command) => command.kind === 'capture' && command.transferId === id);
    expect(capture).toMatchObject({ destination: { kind: 'wallet', userId: juma.userId } });
    const payment = await transfers.db.selectFrom('payments').selectAll().where('transaction_id', '=', id).execute();
    expect(payment).toMatchObject([{ recipient_id: juma.userId, status: 'completed' }]);
    expect((await transfers.send('GET', '/internal/transfers', { caller: juma })).body.items).toMatchObject([
      { id, metadata: { transactionType: 'CREDIT', isAdminCredit: false } },
    ]);
    const nameFor = async (caller: typeof juma) =>
      (await transfers.send('GET', `/internal/transfers/${id}`, { caller })).body.transaction.metadata.recipientName;
    // The sender paid a number, and learns no more of its holder than before.
    expect([await nameFor(juma), await nameFor(amina)]).toEqual(['Juma Said', 'Juma S.']);
    expect(transfers.submits.filter((submit) => submit.body.includes(id))).toEqual([]);
    const admin = {
      ...juma,
      userId: '0190a000-0000-7000-8000-00000000ad01',
      isAdmin: true,
      role: 'owner' as const,
      adminId: 'ADM1',
    };
    const { body } = await transfers.send('GET', `/internal/transfers/${id}/recovery`, { caller: admin });
    expect(body).toMatchObject({
      accountId: amina.userId,
      payout: null,
      paidIntoWalletAt: payment[0]?.created_at.toISOString(),
    });
  });

  test('while identity is unavailable the transfer waits, and is executed afterwards', async () => {
    transfers.fakes.switches.identityUnavailable = true;
    const { id } = await accepted();
    expect(await transfers.execute(id)).toMatchObject({ outcome: 'postponed' });
    expect(await transfers.transfer(id)).toMatchObject({ status: 'PENDING', step: 'created' });
    transfers.fakes.switches.identityUnavailable = false;
    transfers.clock.advance(MINUTE_MS);
    await transfers.sweep();
    expect((await transfers.transfer(id)).step).toBe('paying_out');
  });
});

describe('a payout that fails on proof', () => {
  test('at once returns the money', async () => {
    transfers.script.submit = { kind: 'rejected', failure: limitFailure };
    const { amina, id } = await accepted();
    await transfers.execute(id);
    expect(await transfers.transfer(id)).toMatchObject({ status: 'FAILED', error_code: 'WALLET_LIMIT_REACHED' });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'release']);
    expect(transfers.fakes.balances.get(amina.userId)).toBe(100_000_00n);
    expect(await transfers.lifecycle(id)).toEqual(['PENDING', 'PROCESSING', 'PROCESSING', 'FAILED']);
  });

  test('by callback returns the money once', async () => {
    const { amina, id, payout } = await payingOut();
    const failed = completed(payout.id, {
      failure: { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' },
    });
    await Promise.all([transfers.failedCallback(failed), transfers.failedCallback(failed)]);
    expect(await transfers.ended(id)).toMatchObject({ status: 'FAILED' });
    expect(transfers.fakes.balances.get(amina.userId)).toBe(100_000_00n);
  });
});

describe('a payout with an unresolved outcome', () => {
  test('keeps the money held for any unclear answer, and is polled under the same id', async () => {
    transfers.script.submit = { kind: 'ambiguous', reason: 'timeout' };
    const { amina, id, payout } = await payingOut();
    for (const status of [{ kind: 'ambiguous', reason: '500' }, { kind: 'not_found' }] as const) {
      transfers.script.status = status;
      transfers.clock.advance(5 * MINUTE_MS);
      await transfers.sweep();
    }
    expect(await transfers.transfer(id)).toMatchObject({ status: 'PROCESSING', step: 'paying_out' });
    expect(transfers.fakes.balances.get(amina.userId)).toBe(99_000_00n);
    expect(transfers.inquiries.filter((asked) => asked === payout.id)).toHaveLength(2);
    expect(submitsOf(payout.id)).toHaveLength(1);
  });

  test('is resent with the same id and bytes when the provider does not know it after the grace time', async () => {
    transfers.script.submitFirst = [{ kind: 'ambiguous', reason: 'timeout' }];
    const { id, payout } = await payingOut();
    transfers.script.status = { kind: 'not_found' };
    transfers.clock.advance(16 * MINUTE_MS);
    await transfers.sweep();
    await transfers.sweep();
    const sent = submitsOf(payout.id);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect((await transfers.payoutOf(id)).state).toBe('accepted');
  });

  test('does not fail when a repeat is refused, which proves nothing about the first request', async () => {
    transfers.script.submitFirst = [{ kind: 'ambiguous', reason: 'timeout' }];
    const { id, payout } = await payingOut();
    transfers.script.status = { kind: 'not_found' };
    transfers.script.submit = {
      kind: 'rejected',
      failure: { code: 'INVALID_INPUT', class: 'validation' },
    };
    transfers.clock.advance(16 * MINUTE_MS);
    await transfers.sweep();
    await transfers.sweep();
    expect(submitsOf(payout.id)).toHaveLength(2);
    expect((await transfers.transfer(id)).step).toBe('paying_out');
  });

  test('that the provider accepted neither fails nor is sent again when the provider no longer knows it', async () => {
    const admin = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1', name: 'Neema' };
    const { id, payout } = await payingOut();
    transfers.script.status = { kind: 'not_found' };
    transfers.script.submit = { kind: 'rejected', failure: { code: 'INVALID_INPUT', class: 'validation' } };
    const exceptions = async () =>
      (await transfers.send('GET', '/internal/reconciliation', { caller: admin })).body.exceptions.filter(
        ({ payoutId }: { payoutId: string }) => payoutId === payout.id,
      );
    transfers.clock.advance(10 * MINUTE_MS);
    await transfers.sweep();
    expect(await exceptions()).toEqual([]);
    for (let hour = 0; hour < 3; hour++) {
      transfers.clock.advance(60 * MINUTE_MS);
      await transfers.sweep();
    }
    expect(submitsOf(payout.id)).toHaveLength(1);
    expect(await exceptions()).toMatchObject([{ kind: 'lost_by_provider', state: 'open', holdsTransfer: true }]);
    expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out' });
    // Nor does a retry send it again: a provider that has lost a payout may not recognise the repeat.
    await advanceTransfer(transfers.deps, id, { isRetry: true });
    expect(submitsOf(payout.id)).toHaveLength(1);
    transfers.script.status = { kind: 'found', report: completed(payout.id) };
    transfers.clock.advance(60 * MINUTE_MS);
    await transfers.sweep();
    expect(await transfers.ended(id)).toMatchObject({ status: 'SETTLED' });
  });

  test('that the provider had lost waits for no decision while the provider reports it again', async () => {
    const admin = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1', name: 'Neema' };
    const { id, payout } = await payingOut();
    const lost = async () => {
      const { body } = await transfers.send('GET', '/internal/reconciliation', { caller: admin });
      return body.exceptions.find(({ payoutId }: { payoutId: string }) => payoutId === payout.id);
    };
    const sweepAfter = async (minutes: number) => {
      transfers.clock.advance(minutes * MINUTE_MS);
      await transfers.sweep();
    };
    transfers.script.status = { kind: 'not_found' };
    await sweepAfter(60);
    expect(await lost()).toMatchObject({ kind: 'lost_by_provider', state: 'open', holdsTransfer: true });
    transfers.script.status = { kind: 'found', report: { ...completed(payout.id), state: 'processing' } };
    await sweepAfter(60);
    const { id: exceptionId, ...found } = await lost();
    expect(found).toMatchObject({ state: 'resolved', note: 'The provider now reports the payout: processing.' });
    const decision = await transfers.send('POST', `/internal/reconciliation/exceptions/${exceptionId}/resolve`, {
      payload: { note: 'Nobody was paid', outcome: 'not_paid' },
      caller: admin,
    });
    expect(decision).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect((await transfers.transfer(id)).step).toBe('paying_out');
    transfers.script.status = { kind: 'not_found' };
    await sweepAfter(60);
    expect(await lost()).toMatchObject({ state: 'open', holdsTransfer: true });
  });

  test('refused for lack of float or permission waits, and is sent once that is fixed', async () => {
    transfers.script.submit = {
      kind: 'rejected',
      failure: { code: 'PAWAPAY_WALLET_OUT_OF_FUNDS', class: 'float' },
    };
    const { id, payout } = await payingOut();
    expect((await transfers.transfer(id)).step).toBe('paying_out');
    transfers.script.submit = { kind: 'accepted', state: 'accepted' };
    transfers.clock.advance(6 * MINUTE_MS);
    await transfers.sweep();
    expect(submitsOf(payout.id)).toHaveLength(2);
    expect((await transfers.payoutOf(id)).state).toBe('accepted');
  });
});

describe('a provider that contradicts our books', () => {
  test.each<[string, Partial<PayoutReport>, string]>([
    ['another amount', { amount: '23031' }, 'different_amount'],
    ['another currency', { currency: 'KES' }, 'different_currency'],
    ['another number', { msisdn: '255763456799' }, 'different_msisdn'],
  ])('with %s moves nothing and opens an exception', async (_what, fields, kind) => {
    const { id, payout } = await payingOut();
    await transfers.callback(completed(payout.id, fields));
    expect((await transfers.transfer(id)).step).toBe('paying_out');
    expect(await exceptions(id)).toEqual([{ kind }]);
  });

  test.each(['amount', 'currency', 'msisdn'] as const)(
    'in a callback without %s moves nothing and is asked at once',
    async (missing) => {
      const { id, payout } = await payingOut();
      const { [missing]: _, ...report } = completed(payout.id);
      transfers.script.status = { kind: 'found', report: completed(payout.id) };
      await transfers.callback(report);
      expect((await transfers.ended(id)).status).toBe('SETTLED');
      expect(transfers.inquiries).toContain(payout.id);
      expect(await exceptions(id)).toEqual([]);
      expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
    },
  );

  test.each(['completed', 'failed'] as const)(
    'in an inquiry that says %s without figures moves nothing and needs a decision',
    async (state) => {
      const { id, payout } = await payingOut();
      const report: PayoutReport = { clientPayoutId: payout.id, state };
      transfers.script.status = { kind: 'found', report };
      await transfers.callback(report);
      await until(async () => (await exceptions(id)).length > 0);
      transfers.clock.advance(5 * MINUTE_MS);
      await transfers.sweep();
      expect((await transfers.transfer(id)).step).toBe('paying_out');
      expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
      expect(await exceptions(id)).toEqual([{ kind: 'missing_figures' }]);
      const caller = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1' };
      const { body } = await transfers.send('GET', '/internal/reconciliation', { caller });
      const own = body.exceptions.filter((exception: PayoutException) => exception.transactionId === id);
      expect(own).toMatchObject([{ kind: 'missing_figures', holdsTransfer: true }]);
    },
  );

  test('by failing a completed payout changes nothing', async () => {
    const { id, payout } = await payingOut();
    await transfers.callback(completed(payout.id));
    await transfers.ended(id);
    await transfers.callback(completed(payout.id, { state: 'failed', failure: limitFailure }));
    expect((await transfers.transfer(id)).status).toBe('SETTLED');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
    expect(await exceptions(id)).toEqual([{ kind: 'contradicting_outcome' }]);
  });

  test('about an unknown payout is answered and changes nothing', async () => {
    const { body } = await transfers.callback(completed('0190a000-0000-4000-8000-000000000001'));
    expect(body.results).toEqual([{ status: 200 }]);
  });
});

describe('a transfer that waits too long', () => {
  const admin = () => ({ ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1' });
  async function stuck() {
    const open = await payingOut();
    transfers.script.status = { kind: 'not_found' };
    transfers.clock.advance(15 * MINUTE_MS + 1_000);
    await transfers.sweep();
    return open;
  }

  test('is PENDING with its reason in the stuck list, and stays open', async () => {
    const { id } = await stuck();
    expect(await transfers.transfer(id)).toMatchObject({ status: 'PENDING', step: 'paying_out' });
    const { body } = await transfers.send('GET', '/internal/stuck-transfers', { caller: admin() });
    expect(body.stuckTransactions.map((item: { transaction: { id: string } }) => item.transaction.id)).toContain(id);
    expect(await transfers.messages(id)).toContain('transfer.waiting.v1');
  });

  test('is retried by asking first, then resending under the same id, so that it cannot pay twice', async () => {
    transfers.script.submitFirst = [{ kind: 'ambiguous', reason: 'timeout' }];
    const { id, payout } = await payingOut();
    transfers.script.status = { kind: 'ambiguous', reason: '500' };
    const retry = async () => {
      const response = await transfers.send('POST', `/internal/transfers/${id}/retry`, { caller: admin() });
      const { id: retryId } = await transfers.db
        .selectFrom('transaction_retries')
        .select('id')
        .where('transaction_id', '=', id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      const { carryOutRetry } = await import('#saga/carry-out-retry.ts');
      await carryOutRetry(transfers.deps, { transferId: id, retryId });
      return response.status;
    };
    expect(await retry()).toBe(202);
    expect(submitsOf(payout.id)).toHaveLength(1);
    transfers.script.status = { kind: 'not_found' };
    expect(await retry()).toBe(202);
    expect(submitsOf(payout.id)).toHaveLength(2);
    transfers.script.status = { kind: 'found', report: completed(payout.id) };
    expect(await retry()).toBe(202);
    expect((await transfers.transfer(id)).status).toBe('SETTLED');
    expect(await retry().catch(() => 0)).toBe(409);
    const results = () =>
      transfers.db
        .selectFrom('transaction_retries')
        .select(['retry_result', 'is_successful'])
        .where('transaction_id', '=', id)
        .orderBy('id')
        .execute();
    const undecided = { retry_result: 'still waiting for the provider', is_successful: null };
    const settled = { retry_result: 'ended as SETTLED', is_successful: true };
    expect(await results()).toEqual([undecided, undecided, settled]);
    await transfers.sweep();
    expect(await results()).toEqual([settled, settled, settled]);
  });

  test('queues one command for many concurrent requests, and refuses merchants and unknown ids', async () => {
    const { id, amina } = await stuck();
    const statuses = await Promise.all(
      Array.from(
        { length: 5 },
        async () => (await transfers.send('POST', `/internal/transfers/${id}/retry`, { caller: admin() })).status,
      ),
    );
    expect(statuses).toEqual(Array(5).fill(202));
    expect((await transfers.messages(id)).filter((key) => key === 'transfer.retry.v1')).toHaveLength(1);
    expect((await transfers.send('POST', `/internal/transfers/${id}/retry`, { caller: amina })).status).toBe(403);
    expect(
      (await transfers.send('POST', `/internal/transfers/${amina.userId}/retry`, { caller: admin() })).status,
    ).toBe(404);
  });
});

describe('a step', () => {
  test('decided on an old version is not taken and writes nothing', async () => {
    const { id } = await accepted();
    const outdated = await transfers.transfer(id);
    await transfers.execute(id);
    const everything = async () => [
      await transfers.transfer(id),
      await transfers.payoutOf(id),
      await transfers.lifecycle(id),
      await transfers.messages(id),
    ];
    const before = await everything();
    const recipient = { userId: crypto.randomUUID(), name: 'Juma' };
    const late = transitionOf(outdated, { type: 'held', payee: 'merchant' }, new Date(), { recipient });
    expect(await commitTransitions(transfers.db, [late])).toEqual({
      done: [false],
      pack: { id: expect.any(String), messages: [] },
    });
    expect(await everything()).toEqual(before);
  });
});

describe('a final transfer', () => {
  test('cannot be changed, even by direct SQL', async () => {
    const { id, payout } = await payingOut();
    await transfers.callback(completed(payout.id));
    await transfers.ended(id);
    await expect(transfers.pool.query("update transactions set status = 'FAILED' where id = $1", [id])).rejects.toThrow(
      'final',
    );
    await expect(transfers.pool.query('delete from transactions where id = $1', [id])).rejects.toThrow('final');
  });

  test('never has two live payouts', async () => {
    const { payout } = await payingOut();
    const twin = { ...payout, id: crypto.randomUUID() };
    await expect(transfers.db.insertInto('money_transfers').values(twin).execute()).rejects.toThrow(
      'money_transfers_one_alive',
    );
  });
});

describe('a deposit', () => {
  const order = (userId: string, key: string, amount = '500.00') => ({
    payload: {
      key,
      userId,
      currency: 'KES',
      amount,
      adminId: '0190a000-0000-7000-8000-00000000ad01',
      description: 'cash',
    },
    caller: { ...transfers.merchant(), isAdmin: true, role: 'owner' as const },
  });

  test('is booked once per key, even if the wallet’s answer was lost, and is listed in the history', async () => {
    const juma = transfers.merchant(0n);
    transfers.fakes.switches.walletAnswersLost = 1;
    const deposits = await Promise.all(
      Array.from({ length: 3 }, () =>
        transfers.send('POST', '/internal/deposits', order(juma.userId, 'deposit-key-1')),
      ),
    );
    transfers.clock.advance(MINUTE_MS);
    await transfers.sweep();
    expect(deposits.some(({ status }) => status === 201)).toBe(true);
    expect(transfers.fakes.balances.get(juma.userId)).toBe(500_00n);
    expect((await transfers.send('GET', '/internal/transfers', { caller: juma })).body.items).toMatchObject([
      {
        status: 'SETTLED',
        recipientPhone: 'ADMIN',
        direction: null,
        metadata: { isAdminCredit: true, transactionType: 'CREDIT' },
      },
    ]);
  });

  test('is possible as long as the wallet takes commands', async () => {
    expect(await transfers.send('GET', '/internal/deposits/possible')).toMatchObject({ status: 200 });
    transfers.fakes.switches.walletUnavailable = true;
    expect(await transfers.send('GET', '/internal/deposits/possible')).toMatchObject({ status: 503 });
    transfers.fakes.switches.walletUnavailable = false;
  });

  test('under a used key with another amount is refused', async () => {
    const juma = transfers.merchant(0n);
    await transfers.send('POST', '/internal/deposits', order(juma.userId, 'deposit-key-2'));
    expect(
      await transfers.send('POST', '/internal/deposits', order(juma.userId, 'deposit-key-2', '501.00')),
    ).toMatchObject({ status: 409 });
  });
});
