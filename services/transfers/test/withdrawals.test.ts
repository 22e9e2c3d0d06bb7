import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { applySettings } from '#withdrawals/withdrawal-limits.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());
beforeEach(() => {
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  transfers.script.status = { kind: 'ambiguous', reason: 'not scripted' };
  Object.assign(transfers.fakes.switches, {
    walletUnavailable: false,
    walletAnswersLost: 0,
    ratesUnavailable: false,
    noRate: false,
  });
});

const MINUTE_MS = 60_000;
const phone = {
  accountType: 'mobile_money',
  accountName: 'My M-PESA',
  phoneNumber: '+254712345678',
  carrier: 'M-PESA',
};
const bank = {
  accountType: 'bank',
  accountName: 'Amina Otieno',
  currency: 'KES',
  bankName: 'Equity Bank',
  accountNumber: '0123456789',
};
const owner = (balanceMinor = 900_000_00n) => ({ ...transfers.merchant(balanceMinor), name: 'Amina Otieno' });
const administrator = (): Caller => ({
  ...transfers.merchant(0n),
  isAdmin: true,
  role: 'owner' as const,
  adminId: `ADM-${randomUUID()}`,
});

async function link(caller: Caller, account: object = phone): Promise<string> {
  const { body } = await transfers.send('POST', '/internal/linked-accounts', { payload: account, caller });
  return body.id;
}
const send = (caller: Caller, linkedAccountId: string, order: object = {}) =>
  transfers.send('POST', '/internal/withdrawals', {
    payload: { amount: '5000', currency: 'KES', linkedAccountId, clientTransactionId: `W-${randomUUID()}`, ...order },
    caller,
  });
async function withdrawn(order: object = {}, account: object = phone) {
  const caller = owner();
  const { body } = await send(caller, await link(caller, account), order);
  return { caller, id: body.withdrawal.id as string };
}
const list = async (caller: Caller) =>
  (await transfers.send('GET', '/internal/withdrawals', { caller })).body.withdrawals;
const statusOf = async ({ caller, id }: { caller: Caller; id: string }) =>
  (await list(caller)).find((withdrawal: { id: string }) => withdrawal.id === id).status;
const recoveryOf = async (id: string) =>
  (await transfers.send('GET', `/internal/transfers/${id}/recovery`, { caller: administrator() })).body;
const decide = (id: string, decision: object, caller = administrator()) =>
  transfers.send('POST', '/internal/withdrawals/decide', { payload: { id, decision }, caller });
/** The audit trail's entries for a withdrawal, except that an administrator looked at it. */
const recorded = async (id: string) => {
  const messages = await transfers.messagesInOutbox();
  const published = messages.filter(
    ({ envelope }) => envelope.type === 'admin.action-recorded.v1' && envelope.subject === id,
  );
  const actions = published.map(({ envelope }) => envelope.data as { action: string });
  return actions.filter(({ action }) => action !== 'transfer.viewed');
};
const stuck = async () => {
  const { body } = await transfers.send('GET', '/internal/stuck-transfers', { caller: administrator() });
  return body.stuckTransactions.map(({ transaction }: { transaction: { id: string } }) => transaction.id);
};
const report = (clientPayoutId: string, fields: Partial<PayoutReport> = {}): PayoutReport => ({
  clientPayoutId,
  state: 'completed',
  amount: '5000',
  currency: 'KES',
  msisdn: '254712345678',
  ...fields,
});

describe('a withdrawal to a phone below the limit', () => {
  test('is held, paid once to the account’s number, captured, and listed in the history', async () => {
    const { caller, id } = await withdrawn();
    expect(await statusOf({ caller, id })).toBe('pending');
    await transfers.execute(id);
    expect(await statusOf({ caller, id })).toBe('payment_submitted');
    const payout = await transfers.payoutOf(id);
    expect(payout).toMatchObject({ destination_account: '254712345678', amount: 5_000_00n, currency: 'KES' });
    await transfers.callback(report(payout.id));
    await transfers.ended(id);
    expect(await statusOf({ caller, id })).toBe('completed');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
    expect(transfers.fakes.balances.get(caller.userId)).toBe(895_000_00n);
    const { body } = await transfers.send('GET', `/internal/transfers/${id}`, { caller });
    expect(body.transaction).toMatchObject({
      type: 'withdrawal',
      source_currency: 'KES',
      target_currency: 'KES',
      direction: null,
      metadata: { transactionType: 'DEBIT', recipientPhone: '+254712345678', recipientName: 'My M-PESA' },
    });
    const row = await transfers.db
      .selectFrom('withdrawals')
      .selectAll()
      .where('transaction_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ provider_id: 'scripted', provider_status: 'completed', requires_approval: false });
    expect(row.provider_timestamp).not.toBeNull();
  });

  test('that the network refuses returns the money', async () => {
    const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' } as const;
    transfers.script.submit = { kind: 'rejected', failure };
    const { caller, id } = await withdrawn();
    await transfers.execute(id);
    expect((await transfers.transfer(id)).status).toBe('FAILED');
    expect((await list(caller))[0]).toMatchObject({
      status: 'failed',
      statusReason: 'The mobile network does not know this number. Your money is back in your wallet.',
    });
    expect(transfers.fakes.balances.get(caller.userId)).toBe(900_000_00n);
  });

  test('without an answer stays submitted and is polled, and does not fail', async () => {
    transfers.script.submit = { kind: 'ambiguous', reason: 'timeout' };
    const { caller, id } = await withdrawn();
    await transfers.execute(id);
    transfers.clock.advance(20 * MINUTE_MS);
    await transfers.sweep();
    expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out', status: 'PENDING' });
    expect(await statusOf({ caller, id })).toBe('payment_submitted');
    expect(await stuck()).toContain(id);
    const payout = await transfers.payoutOf(id);
    transfers.script.status = { kind: 'found', report: report(payout.id) };
    transfers.clock.advance(10 * MINUTE_MS);
    await transfers.sweep();
    expect(await statusOf({ caller, id })).toBe('completed');
  });

  test('requested ten times at once is one withdrawal and one hold; other details are a conflict', async () => {
    const caller = owner();
    const account = await link(caller);
    const order = { clientTransactionId: 'WITHDRAW-same-1' };
    const results = await Promise.all(Array.from({ length: 10 }, () => send(caller, account, order)));
    expect(new Set(results.map(({ body }) => body.withdrawal.id)).size).toBe(1);
    expect(results.filter(({ body }) => body.created)).toHaveLength(1);
    expect(transfers.fakes.appliedFor(results[0]?.body.withdrawal.id)).toEqual(['hold']);
    expect((await send(caller, account, { ...order, amount: '5001' })).body.code).toBe('idempotency_conflict');
    await transfers.send('POST', '/internal/linked-accounts/deactivate', { payload: { id: account }, caller });
    expect((await send(caller, account, order)).body.created).toBe(false);
  });

  test('of more than the balance is refused and stays refused', async () => {
    const caller = owner(4_999_00n);
    const account = await link(caller);
    const order = { clientTransactionId: 'WITHDRAW-poor-1' };
    for (let tries = 0; tries < 2; tries++) {
      expect(await send(caller, account, order)).toMatchObject({
        status: 422,
        body: { code: 'insufficient_funds', error: 'Amount exceeds available balance' },
      });
    }
    expect((await list(caller))[0].status).toBe('failed');
  });
});

describe('a withdrawal above the limit', () => {
  const large = { amount: '100001' };
  const waiting = async () => {
    const made = await withdrawn(large);
    await transfers.execute(made.id);
    return made;
  };

  test('waits indefinitely with the money held, and is not stuck', async () => {
    const { caller, id } = await waiting();
    expect(await statusOf({ caller, id })).toBe('awaiting_approval');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
    transfers.clock.advance(120 * MINUTE_MS);
    await transfers.sweep();
    expect(await transfers.transfer(id)).toMatchObject({ step: 'awaiting_approval', waiting_reason: null });
    expect(await stuck()).not.toContain(id);
    const retry = await transfers.send('POST', `/internal/transfers/${id}/retry`, { caller: administrator() });
    expect(retry).toMatchObject({ status: 409, body: { code: 'not_retryable' } });
    expect(await recoveryOf(id)).toMatchObject({ isRetryable: false });
  });

  test('is paid once it is approved, even hours later, and records who and when', async () => {
    const { caller, id } = await waiting();
    transfers.clock.advance(120 * MINUTE_MS);
    const admin = administrator();
    const { status, body } = await decide(id, { kind: 'approve' }, admin);
    expect([status, body.withdrawal.status]).toEqual([200, 'pending']);
    expect(body.withdrawal).toMatchObject({
      approvedBy: admin.adminId,
      approvedAt: transfers.clock.now().toISOString(),
    });
    expect((await transfers.messages(id)).filter((key) => key === 'transfer.execute.v1')).toHaveLength(2);
    await transfers.execute(id);
    await transfers.sweep();
    expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out', status: 'PROCESSING' });
    const payout = await transfers.payoutOf(id);
    await transfers.callback(report(payout.id, { amount: '100001' }));
    await transfers.ended(id);
    expect(await statusOf({ caller, id })).toBe('completed');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
  });

  test('that the network refuses after approval returns the money', async () => {
    const { caller, id } = await waiting();
    await decide(id, { kind: 'approve' });
    const failure = { code: 'INVALID_AMOUNT', class: 'validation' } as const;
    transfers.script.submit = { kind: 'rejected', failure };
    await transfers.execute(id);
    expect(await statusOf({ caller, id })).toBe('failed');
    expect(transfers.fakes.balances.get(caller.userId)).toBe(900_000_00n);
  });

  test('that was approved is resumed by the sweep when the worker died before it began', async () => {
    const { id } = await waiting();
    await decide(id, { kind: 'approve' });
    transfers.clock.advance(16_000);
    await transfers.sweep();
    expect((await transfers.transfer(id)).step).toBe('paying_out');
    expect(transfers.submits.filter(({ body }) => body.includes(id))).toHaveLength(1);
  });

  test('that is refused returns the money with the reason, even if the wallet is unavailable at first', async () => {
    const { caller, id } = await waiting();
    transfers.fakes.switches.walletUnavailable = true;
    expect((await decide(id, { kind: 'refuse', reason: 'number not verified' })).status).toBe(200);
    await transfers.execute(id);
    expect(await statusOf({ caller, id })).toBe('pending');
    transfers.fakes.switches.walletUnavailable = false;
    transfers.clock.advance(MINUTE_MS);
    await transfers.sweep();
    expect((await list(caller))[0]).toMatchObject({
      status: 'failed',
      statusReason: 'Not approved: number not verified',
    });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'release']);
    expect((await recoveryOf(id)).legs).toMatchObject({ held: 'done', payoutWritten: 'not_needed', released: 'done' });
    expect(transfers.submits.filter(({ body }) => body.includes(id))).toEqual([]);
    expect(await recorded(id)).toMatchObject([
      {
        action: 'withdrawal.refused',
        subject: { kind: 'withdrawal', id },
        reason: 'number not verified',
        before: { status: 'awaiting_approval', amount: '100001.00', currency: 'KES' },
        after: { status: 'failed' },
      },
    ]);
  });

  test('is not approved while its merchant is blocked, and can then be refused', async () => {
    const { caller, id } = await waiting();
    transfers.fakes.blocked.add(caller.userId);
    const { status, body } = await decide(id, { kind: 'approve' });
    expect([status, body.reason]).toEqual([403, 'withdrawal_of_blocked_account']);
    expect(await transfers.transfer(id)).toMatchObject({ step: 'awaiting_approval' });
    expect((await decide(id, { kind: 'refuse', reason: 'a stolen account' })).status).toBe(200);
    await transfers.execute(id);
    expect(transfers.fakes.balances.get(caller.userId)).toBe(900_000_00n);
  });

  test('is decided once if an administrator repeats the decision, and another decision is refused', async () => {
    const { id } = await waiting();
    const admin = administrator();
    const answers = await Promise.all(Array.from({ length: 5 }, () => decide(id, { kind: 'approve' }, admin)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { body } of answers)
      expect(body.withdrawal).toMatchObject({ status: 'pending', approvedBy: admin.adminId });
    await transfers.execute(id);
    await transfers.callback(report((await transfers.payoutOf(id)).id, { amount: '100001' }));
    await transfers.ended(id);
    expect((await decide(id, { kind: 'approve' }, admin)).body.withdrawal).toMatchObject({ status: 'completed' });
    expect((await decide(id, { kind: 'refuse', reason: 'not sure' }, admin)).body.reason).toBe('withdrawal_decided');
    expect((await decide(id, { kind: 'approve' })).body.reason).toBe('withdrawal_decided');
    expect(await recorded(id)).toHaveLength(1);
  });

  test('is refused once if an administrator repeats the refusal', async () => {
    const { caller, id } = await waiting();
    const admin = administrator();
    const refusal = { kind: 'refuse', reason: 'number not verified' } as const;
    expect((await decide(id, refusal, admin)).status).toBe(200);
    await transfers.execute(id);
    expect((await decide(id, refusal, admin)).body.withdrawal).toMatchObject({ status: 'failed' });
    expect((await decide(id, { kind: 'approve' }, admin)).status).toBe(409);
    expect((await decide(id, { kind: 'fail', reason: 'not paid' }, admin)).status).toBe(409);
    expect(await recorded(id)).toHaveLength(1);
    expect(transfers.fakes.balances.get(caller.userId)).toBe(900_000_00n);
  });

  test('is decided by exactly one of ten concurrent administrators; the others get already_decided', async () => {
    const { id } = await waiting();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        decide(id, index % 2 ? { kind: 'approve' } : { kind: 'refuse', reason: 'not sure' }),
      ),
    );
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await recorded(id)).toHaveLength(1);
    for (const { status, body } of results.filter((result) => result.status !== 200)) {
      expect([status, body.error]).toEqual([409, 'This withdrawal has been decided already.']);
    }
    await Promise.all([transfers.execute(id), transfers.execute(id)]);
    expect(transfers.fakes.appliedFor(id).filter((kind) => kind !== 'hold').length).toBeLessThanOrEqual(1);
  });

  test('cannot be decided by its owner or by a merchant', async () => {
    const admin = { ...owner(), isAdmin: true, role: 'owner' as const, adminId: 'ADM7' };
    const { body } = await send(admin, await link(admin), large);
    await transfers.execute(body.withdrawal.id);
    expect(await decide(body.withdrawal.id, { kind: 'approve' }, admin)).toMatchObject({
      status: 403,
      body: { error: 'This is your own withdrawal. Another administrator must decide.' },
    });
    expect((await decide(body.withdrawal.id, { kind: 'approve' }, owner())).status).toBe(403);
    const { body: queue } = await transfers.send('GET', '/internal/admin-withdrawals?status=awaiting_approval', {
      caller: admin,
    });
    expect(queue.withdrawals).toContainEqual(expect.objectContaining({ id: body.withdrawal.id, isOwn: true }));
    expect((await decide(randomUUID(), { kind: 'approve' })).status).toBe(404);
    const unchecked = { ...administrator(), pinVerified: false };
    expect((await decide(body.withdrawal.id, { kind: 'approve' }, unchecked)).body.code).toBe('invalid_pin');
  });

  test('shows an approver earlier payments to the account and the day’s requests', async () => {
    const caller = owner();
    const account = await link(caller);
    const { body: first } = await send(caller, account);
    await transfers.execute(first.withdrawal.id);
    await transfers.callback(report((await transfers.payoutOf(first.withdrawal.id)).id));
    await transfers.ended(first.withdrawal.id);
    transfers.clock.advance(1_000);
    const { body } = await send(caller, account, large);
    const { body: queue } = await transfers.send('GET', '/internal/admin-withdrawals?status=awaiting_approval', {
      caller: administrator(),
    });
    expect(queue.withdrawals.find(({ id }: { id: string }) => id === body.withdrawal.id)).toMatchObject({
      merchantName: 'Amina Otieno',
      merchantUserId: caller.userId,
      paidBefore: 1,
      askedInDay: '5000.00',
      recipientAccount: '+254712345678',
      isOwn: false,
    });
  });

  test('uses the limit of the newest system settings, in any order of arrival', async () => {
    const settings = (KES: string, time: string) => ({
      envelope: {
        time,
        data: {
          systemName: 'Vuka',
          supportEmail: 'a@vuka.test',
          maxPinAttempts: 3,
          autoLogoutMinutes: 30,
          withdrawalApprovalLimit: { KES, TZS: '2000000' },
        },
      },
    });
    const apply = (KES: string, time: string) => applySettings(transfers.db, settings(KES, time) as never);
    await apply('4999', '2026-01-02T00:00:00Z');
    await apply('1', '2026-01-01T00:00:00Z');
    const caller = owner();
    const account = await link(caller);
    expect((await send(caller, account)).body.withdrawal.requiresApproval).toBe(true);
    expect((await send(caller, account, { amount: '4999' })).body.withdrawal.requiresApproval).toBe(false);
    await apply('100000', '2026-01-03T00:00:00Z');
    expect((await send(caller, account)).body.withdrawal.requiresApproval).toBe(false);
  });
});

describe('a withdrawal to a bank', () => {
  const waiting = async () => {
    const made = await withdrawn({ amount: '100' }, bank);
    await transfers.execute(made.id);
    return made;
  };
  const take = async (
    id: string,
    caller: Caller,
    shown: { payingSince?: string; comparedWithStatement?: boolean } = {},
  ) => {
    await transfers.settleClock();
    return transfers.send('POST', '/internal/withdrawals/take', { payload: { id, ...shown }, caller });
  };
  /** By then the bank statement shows the payment of a payer who has it made at once. */
  const aDayLater = () => transfers.clock.advance(24 * 60 * MINUTE_MS);
  const found = async (id: string, caller = administrator()) => {
    const { body } = await transfers.send('GET', '/internal/admin-withdrawals', { caller });
    return body.withdrawals.find((each: { id: string }) => each.id === id);
  };
  const twoAdministrators = () =>
    [administrator(), { ...administrator(), adminId: 'ADM-other', name: 'Juma' }] as const;

  test('is paid by one administrator: no other records its outcome without taking it over', async () => {
    const { id } = await waiting();
    const [amina, juma] = twoAdministrators();
    expect((await take(id, amina)).status).toBe(409);
    await decide(id, { kind: 'approve' });
    const asPaid = { kind: 'complete', reference: 'FT26009' } as const;
    for (const outcome of [asPaid, { kind: 'fail', reason: 'not paid' }] as const)
      expect((await decide(id, outcome, amina)).body.reason).toBe('withdrawal_not_taken');
    const { payingSince, ...taken } = (await take(id, amina)).body.withdrawal;
    expect(taken).toMatchObject({ payingName: amina.name, isPaidByCaller: true });
    expect((await decide(id, asPaid, juma)).body.reason).toBe('withdrawal_paid_by_other');
    expect((await decide(id, { kind: 'fail', reason: 'not paid' }, juma)).status).toBe(409);
    expect(await found(id)).toMatchObject({ mayBePaid: true });
    aDayLater();
    expect((await take(id, juma, { payingSince })).body.reason).toBe('withdrawal_may_be_paid');
    const takenOver = await take(id, juma, { payingSince, comparedWithStatement: true });
    expect(takenOver.body.withdrawal).toMatchObject({ payingName: 'Juma', isPaidByCaller: true });
    expect((await decide(id, asPaid, amina)).status).toBe(409);
    expect((await decide(id, asPaid, juma)).status).toBe(200);
    expect(await recorded(id)).toMatchObject(
      ['approved', 'taken', 'taken', 'paid'].map((action) => ({ action: `withdrawal.${action}` })),
    );
  });

  test('is taken over only once the bank statement shows what its first payer may have paid', async () => {
    const { caller, id } = await waiting();
    await decide(id, { kind: 'approve' });
    const [amina, juma] = twoAdministrators();
    const { payingSince } = (await take(id, amina)).body.withdrawal;
    transfers.clock.advance(24 * 60 * MINUTE_MS - 1_000);
    const { status, body } = await take(id, juma, { payingSince, comparedWithStatement: true });
    expect([await found(id, amina), await found(id, juma)]).toMatchObject([
      { canBeTaken: true },
      { canBeTaken: false },
    ]);
    expect([status, body.code, body.reason]).toEqual([409, 'already_decided', 'withdrawal_taken_recently']);
    expect(body.error).toContain(`${amina.name} began to pay this withdrawal less than 24 hours ago`);
    // Its payer knows the outcome, and records it at any time.
    expect((await decide(id, { kind: 'fail', reason: 'not paid' }, amina)).status).toBe(200);
    await transfers.execute(id);
    expect(await statusOf({ caller, id })).toBe('failed');
  });

  test('that was taken over gives its money back only after another comparison with the bank statement', async () => {
    const { id } = await waiting();
    await decide(id, { kind: 'approve' });
    const [amina, juma] = twoAdministrators();
    const { payingSince } = (await take(id, amina)).body.withdrawal;
    aDayLater();
    const takenOver = await take(id, juma, { payingSince, comparedWithStatement: true });
    expect(takenOver.body.withdrawal).toMatchObject({ mayBePaid: true, isPaidByCaller: true });
    // To take it again changes nothing of that.
    await take(id, juma, { comparedWithStatement: true });
    const notPaid = { kind: 'fail', reason: 'not on the statement' } as const;
    expect((await decide(id, notPaid, juma)).body.reason).toBe('withdrawal_may_be_paid');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
    expect((await decide(id, { ...notPaid, comparedWithStatement: true }, juma)).status).toBe(200);
    expect((await recorded(id)).at(-1)).toMatchObject({ after: { comparedWithStatement: true } });
  });

  test('is taken by only one of two administrators who were shown no payer, or the same one', async () => {
    const { id } = await waiting();
    await decide(id, { kind: 'approve' });
    const [amina, juma] = twoAdministrators();
    const takeTogether = async (shown?: { payingSince: string; comparedWithStatement: true }) => {
      transfers.clock.advance(1_000);
      const answers = await Promise.all([take(id, amina, shown), take(id, juma, shown)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.reason).toBe('withdrawal_paid_by_other');
    };
    await takeTogether();
    aDayLater();
    const other = { ...administrator(), adminId: 'ADM-third', name: 'Zuri' };
    await transfers.settleClock();
    const { payingSince: former, canBeTaken } = await found(id, other);
    expect(canBeTaken).toBe(true);
    const takeOver = (since: string) => take(id, other, { payingSince: since, comparedWithStatement: true });
    const { payingSince } = (await takeOver(former)).body.withdrawal;
    aDayLater();
    await takeTogether({ payingSince, comparedWithStatement: true });
    expect((await takeOver(payingSince)).body.reason).toBe('withdrawal_paid_by_other');
  });

  test('is not decided by an administrator while another takes it at the same moment', async () => {
    const { id } = await waiting();
    await decide(id, { kind: 'approve' });
    const [amina, juma] = twoAdministrators();
    const { payingSince } = (await take(id, juma)).body.withdrawal;
    aDayLater();
    const answers = await Promise.all([
      take(id, amina, { payingSince, comparedWithStatement: true }),
      decide(id, { kind: 'complete', reference: 'FT26010' }, juma),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('that nobody has taken is not paid once its merchant is blocked, and its money can be returned', async () => {
    const { caller, id } = await waiting();
    await decide(id, { kind: 'approve' });
    transfers.fakes.blocked.add(caller.userId);
    const [amina, juma] = twoAdministrators();
    const { status, body } = await take(id, amina);
    expect([status, body.reason]).toEqual([403, 'withdrawal_of_blocked_account']);
    expect((await decide(id, { kind: 'complete', reference: 'FT26011' }, amina)).body.reason).toBe(
      'withdrawal_not_taken',
    );
    const notPaid = { kind: 'fail', reason: 'a stolen account' } as const;
    expect((await decide(id, notPaid, amina)).status).toBe(200);
    await transfers.execute(id);
    expect((await decide(id, notPaid, amina)).status).toBe(200);
    expect((await decide(id, notPaid, juma)).status).toBe(409);
    expect(await statusOf({ caller, id })).toBe('failed');
    expect(transfers.fakes.balances.get(caller.userId)).toBe(900_000_00n);
    expect(await recorded(id)).toMatchObject(
      ['approved', 'not-paid'].map((action) => ({ action: `withdrawal.${action}` })),
    );
  });

  test('that an administrator had taken before its merchant was blocked gets its outcome from the payer', async () => {
    const { caller, id } = await waiting();
    await decide(id, { kind: 'approve' });
    const [amina, juma] = twoAdministrators();
    const { payingSince } = (await take(id, amina)).body.withdrawal;
    transfers.fakes.blocked.add(caller.userId);
    expect((await decide(id, { kind: 'fail', reason: 'not paid' }, juma)).body.reason).toBe('withdrawal_paid_by_other');
    // Its payer may have left, and may have paid it.
    aDayLater();
    expect((await take(id, juma, { payingSince, comparedWithStatement: true })).status).toBe(200);
    expect((await decide(id, { kind: 'complete', reference: 'FT26012' }, juma)).status).toBe(200);
  });

  describe('whose books were restored, or moved to another server', () => {
    /** What a restored or promoted server sees: the epoch is of another place. */
    const moveBooks = () => transfers.pool.query(`update books_epoch set place = 'a server that was lost'`);
    const notPaid = { kind: 'fail', reason: 'the account is closed' } as const;
    beforeEach(async () => {
      await transfers.deps.books.renew();
      await transfers.pool.query('update books_epoch set unsure_until = null');
      await transfers.deps.books.renew();
    });

    test('is taken, by one administrator after another, only after a comparison with the bank statement', async () => {
      const { id } = await waiting();
      await decide(id, { kind: 'approve' });
      const [amina, juma] = twoAdministrators();
      const { payingSince } = (await take(id, amina)).body.withdrawal;
      await moveBooks();
      aDayLater();
      expect((await take(id, juma, { payingSince })).body.reason).toBe('withdrawal_may_be_paid');
      expect(await found(id)).toMatchObject({ mayBePaid: true, payingName: amina.name });
      expect((await take(id, juma, { payingSince, comparedWithStatement: true })).body.withdrawal).toMatchObject({
        mayBePaid: true,
        payingName: 'Juma',
      });
      expect((await take(id, amina)).status).toBe(409);
      expect((await recorded(id)).at(-1)).toMatchObject({
        action: 'withdrawal.taken',
        after: { payer: 'Juma', comparedWithStatement: true },
      });
      expect((await decide(id, { kind: 'complete', reference: 'FT26013' }, juma)).status).toBe(200);
      await transfers.execute(id);
      expect(await found(id)).toMatchObject({ status: 'completed', mayBePaid: false });
    });

    test('gives its money back only after a comparison, whether it had been approved or not', async () => {
      const [unapproved, taken] = [await waiting(), await waiting()];
      const juma = administrator();
      await decide(taken.id, { kind: 'approve' });
      await take(taken.id, juma);
      await moveBooks();
      const refused = { kind: 'refuse', reason: 'an unknown account' } as const;
      for (const [id, decision] of [
        [unapproved.id, refused],
        [taken.id, notPaid],
      ] as const) {
        expect((await decide(id, decision, juma)).body.reason).toBe('withdrawal_may_be_paid');
        expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
        expect((await decide(id, { ...decision, comparedWithStatement: true }, juma)).status).toBe(200);
        await transfers.execute(id);
        expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'release']);
        expect((await recorded(id)).at(-1)).toMatchObject({ after: { comparedWithStatement: true } });
      }
    });

    test('is decided by no process that knows only the former place of the books', async () => {
      const { id } = await waiting();
      await transfers.deps.books.renew();
      // What this process knows when it decides; the books move before its commit.
      const { transitions } = transfers.deps;
      const commit = transitions.submit;
      vi.spyOn(transitions, 'submit').mockImplementationOnce(async (step) => {
        await moveBooks();
        return commit(step);
      });
      const refused = { kind: 'refuse', reason: 'an unknown account' } as const;
      expect((await decide(id, refused)).body.reason).toBe('withdrawal_may_be_paid');
      expect((await transfers.transfer(id)).step).toBe('awaiting_approval');
    });

    test('to a phone is refused only if the provider has no payout of it', async () => {
      const { caller, id } = await withdrawn({ amount: '200000' });
      await transfers.execute(id);
      const { metadata } = await transfers.transfer(id);
      await moveBooks();
      const refused = { kind: 'refuse', reason: 'an unknown number' } as const;
      expect((await decide(id, refused)).body.reason).toBe('withdrawal_unclear');
      const clientPayoutId = String(metadata.payoutId);
      transfers.script.status = { kind: 'found', report: report(clientPayoutId, { amount: '200000' }) };
      expect((await decide(id, refused)).body.reason).toBe('withdrawal_sent');
      expect(transfers.inquiries.at(-1)).toBe(clientPayoutId);
      expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
      transfers.script.status = { kind: 'not_found' };
      // A worker of the lost books may still send it.
      expect((await decide(id, refused)).body.reason).toBe('withdrawal_unclear');
      transfers.clock.advance(16 * MINUTE_MS);
      await transfers.settleClock();
      expect((await decide(id, refused)).status).toBe(200);
      await transfers.execute(id);
      expect(await statusOf({ caller, id })).toBe('failed');
    });

    test('but was requested a day later is taken as usual', async () => {
      await moveBooks();
      await transfers.deps.books.renew();
      transfers.clock.advance(25 * 3_600_000);
      const { id } = await waiting();
      await decide(id, { kind: 'approve' });
      expect((await take(id, administrator())).body.withdrawal).toMatchObject({ mayBePaid: false });
    });
  });

  test('is approved, paid by hand and captured under the bank’s reference, without a provider', async () => {
    const { caller, id } = await waiting();
    expect(await statusOf({ caller, id })).toBe('awaiting_approval');
    expect(await decide(id, { kind: 'complete', reference: 'FT26001' })).toMatchObject({
      status: 409,
      body: { error: 'This withdrawal must be approved first.' },
    });
    expect((await decide(id, { kind: 'approve' })).body.withdrawal).toMatchObject({ isToBePaidByHand: true });
    await transfers.execute(id);
    const admin = administrator();
    await take(id, admin);
    expect((await decide(id, { kind: 'complete', reference: 'FT26001' }, admin)).status).toBe(200);
    await transfers.execute(id);
    expect((await list(caller))[0]).toMatchObject({ status: 'completed', providerReference: 'FT26001' });
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
    expect(transfers.submits.filter(({ body }) => body.includes(id))).toEqual([]);
    expect((await decide(id, { kind: 'complete', reference: 'FT26001' }, admin)).status).toBe(200);
    expect((await decide(id, { kind: 'complete', reference: 'FT26002' }, admin)).status).toBe(409);
    expect((await decide(id, { kind: 'fail', reason: 'too late' }, admin)).status).toBe(409);
    expect(await recorded(id)).toMatchObject([
      { action: 'withdrawal.approved' },
      { action: 'withdrawal.taken' },
      {
        action: 'withdrawal.paid',
        actor: { adminId: admin.adminId },
        after: { status: 'completed', reference: 'FT26001' },
      },
    ]);
    const { body } = await transfers.send('GET', `/internal/transfers/${id}`, { caller });
    expect(body.transaction.metadata).toMatchObject({
      recipientPhone: null,
      recipientName: 'Equity Bank, Amina Otieno',
      recipientAccount: '•••• 6789',
    });
  });

  /** One that an administrator has taken, to pay it by hand. */
  const paying = async (account: object = bank) => {
    const admin = administrator();
    const { caller, id } = await withdrawn(
      { amount: '100', currency: 'currency' in account ? account.currency : 'KES' },
      account,
    );
    await transfers.execute(id);
    await decide(id, { kind: 'approve' });
    await take(id, admin);
    return { id, caller, complete: (reference: string) => decide(id, { kind: 'complete', reference }, admin) };
  };

  test('is not completed by the bank reference of another one, however it is written', async () => {
    const [first, second, inTzs] = [await paying(), await paying(), await paying({ ...bank, currency: 'TZS' })];
    expect((await first.complete('FT26014')).status).toBe(200);
    await transfers.execute(first.id);
    for (const reference of ['FT26014', ' ft26014 ']) {
      const { status, body } = await second.complete(reference);
      expect([status, body.code, body.reason]).toEqual([409, 'already_decided', 'withdrawal_reference_used']);
      expect(body.error).toContain(first.id);
    }
    expect((await transfers.transfer(second.id)).step).toBe('paying_by_hand');
    expect((await first.complete('FT26014')).status).toBe(200);
    expect((await inTzs.complete('FT26014')).status).toBe(200);
    expect((await second.complete('FT26015')).status).toBe(200);
  });

  test('is completed by a bank reference that completes another one at the same moment only if that one is not', async () => {
    const both = [await paying(), await paying()];
    const answers = await Promise.all(both.map(({ complete }) => complete('FT26016')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lost = answers.findIndex(({ status }) => status === 409);
    expect(answers[lost]?.body.error).toContain(both[1 - lost]?.id);
    for (const { id } of both) await transfers.execute(id);
    expect(transfers.fakes.appliedFor(both[lost]?.id ?? '')).toEqual(['hold']);
  });

  test('is not completed by a bank reference that a process of the previous release has recorded', async () => {
    const [first, second] = [await paying(), await paying()];
    await first.complete('FT26017');
    await transfers.db
      .updateTable('withdrawals')
      .set({ has_own_reference: null })
      .where('transaction_id', '=', first.id)
      .execute();
    expect((await second.complete('FT26017')).body.reason).toBe('withdrawal_reference_used');
  });

  test('that the bank refuses returns the money', async () => {
    const { caller, id } = await waiting();
    await decide(id, { kind: 'approve' });
    const admin = administrator();
    await take(id, admin);
    await decide(id, { kind: 'fail', reason: 'account closed' }, admin);
    await transfers.execute(id);
    expect((await decide(id, { kind: 'fail', reason: 'account closed' }, admin)).status).toBe(200);
    expect((await decide(id, { kind: 'complete', reference: 'FT26003' }, admin)).status).toBe(409);
    expect((await list(caller))[0]).toMatchObject({ status: 'failed', statusReason: 'Not paid: account closed' });
    expect((await recorded(id)).at(-1)).toMatchObject({ action: 'withdrawal.not-paid', reason: 'account closed' });
    expect(transfers.fakes.balances.get(caller.userId)).toBe(900_000_00n);
  });
});

describe('the fee', () => {
  const band = { currency: 'KES', minAmount: '0.00', maxAmount: null, percentageFee: '0' } as const;
  const fees = (fixedFee: string) => {
    transfers.fakes.setFees([{ ...band, transactionType: 'withdrawal', fixedFee }]);
    transfers.clock.advance(2_000);
  };

  test('is zero by default, is charged once on top, and does not apply to transfers', async () => {
    const caller = owner();
    const account = await link(caller);
    expect((await send(caller, account)).body.withdrawal.fee).toBe('0.00');
    fees('30.00');
    const query = `amount=5000&linkedAccountId=${account}`;
    const { body: price } = await transfers.send('GET', `/internal/withdrawals/price?${query}`, { caller });
    expect(price).toMatchObject({ fee: '30.00', total: '5030.00', requiresApproval: false });
    const { body } = await send(caller, account, { fee: price.fee });
    const { id } = body.withdrawal;
    await transfers.execute(id);
    await transfers.callback(report((await transfers.payoutOf(id)).id));
    await transfers.ended(id);
    const commands = transfers.fakes.applied.filter((command) => command.transferId === id);
    expect(commands).toMatchObject([
      { kind: 'hold', amount: '5030.00' },
      { kind: 'capture', amount: '5030.00', fee: '30.00', target: { amount: '5000.00', midAmount: '5000.00' } },
    ]);
    expect((await transfers.order(caller)).transaction.fee).toBe('0.00');
    fees('0.00');
  });

  test('is charged, and a withdrawal paid, even before any rate was set', async () => {
    transfers.fakes.switches.noRate = true;
    const caller = owner();
    const account = await link(caller);
    fees('30.00');
    expect((await send(caller, account)).body.withdrawal.fee).toBe('30.00');
    // Calls that need a rate still fail.
    const payload = { direction: 'KES_TO_TZS', sourceAmount: 1000 };
    expect((await transfers.send('POST', '/internal/quotes', { payload, caller })).body.code).toBe('rate_unavailable');
    fees('0.00');
  });

  test('that differs from the one shown is reported before any money moves', async () => {
    const caller = owner();
    const account = await link(caller);
    fees('45.00');
    const refused = await send(caller, account, { fee: '30.00' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'fee_changed', price: { fee: '45.00' } } });
    expect(await list(caller)).toEqual([]);
    fees('0.00');
  });

  test('of a transfer is charged once, as quoted, even if it has changed since', async () => {
    transfers.fakes.setFees([{ ...band, transactionType: 'transfer', fixedFee: '25.00' }]);
    transfers.clock.advance(2_000);
    const caller = owner();
    const payload = { direction: 'KES_TO_TZS', sourceAmount: 1000 };
    const { body: quote } = await transfers.send('POST', '/internal/quotes', { payload, caller });
    expect(quote.fee).toBe('25.00');
    fees('0.00');
    const { transaction } = await transfers.order(caller, { quoteId: quote.quoteId });
    expect(transaction.fee).toBe('25.00');
    await transfers.execute(transaction.id);
    const fields = { amount: '23030', currency: 'TZS', msisdn: '255763456700' };
    await transfers.callback(report((await transfers.payoutOf(transaction.id)).id, fields));
    await transfers.ended(transaction.id);
    const charged = transfers.fakes.applied.filter(
      (command) => command.kind === 'capture' && command.transferId === transaction.id,
    );
    expect(charged).toMatchObject([{ amount: '1025.00', fee: '25.00' }]);
    expect((await transfers.order(caller)).transaction.fee).toBe('0.00');
  });
});

test('an order must match its account, and the account must be the user’s own', async () => {
  const caller = owner();
  const account = await link(caller);
  expect((await send(caller, account, { currency: 'TZS' })).body).toMatchObject({ error: 'This account is in KES' });
  for (const amount of ['10.50', '10.505']) {
    expect((await send(caller, account, { amount })).body.error).toBe('Amount must be a whole number');
  }
  expect((await send(caller, 'x')).body.error).toBe('Please choose an account');
  expect(await send(owner(), account)).toMatchObject({ status: 404, body: { error: 'Linked account not found' } });
  expect((await send({ ...caller, pinVerified: false }, account)).body.code).toBe('invalid_pin');
  expect((await transfers.send('POST', '/internal/withdrawals', { payload: {} })).status).toBe(400);
});
