import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SubmitResult } from '#payouts/payout-provider.ts';
import { lookAtBacklog } from '../src/orders/backlog.store.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());
beforeEach(() => {
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  transfers.script.submitFirst = [];
  transfers.script.status = { kind: 'ambiguous', reason: 'not scripted' };
  transfers.fakes.switches.identityUnavailable = false;
  transfers.fakes.switches.walletUnavailable = false;
});

const MINUTE_MS = 60_000;
const UNREACHABLE: SubmitResult = { kind: 'not_sent', reason: 'ECONNREFUSED' };
const phone = {
  accountType: 'mobile_money',
  accountName: 'My M-PESA',
  phoneNumber: '+254712345678',
  carrier: 'M-PESA',
};

const block = ({ userId }: Caller) => transfers.fakes.blocked.add(userId);
const sentOf = async (id: string) => {
  const { payoutId } = (await transfers.transfer(id)).metadata;
  return transfers.submits.filter((request) => request.id === payoutId).length;
};
async function ordered(order: object = {}) {
  const caller = transfers.merchant();
  const { transaction } = await transfers.order(caller, order);
  return { caller, id: transaction.id as string };
}
async function laterSwept(ms = MINUTE_MS) {
  transfers.clock.advance(ms);
  await transfers.sweep();
}

async function expectReturned(id: string): Promise<void> {
  expect(await transfers.transfer(id)).toMatchObject({
    status: 'FAILED',
    error_code: 'sender_blocked',
    error_message: 'Not sent, because your account was blocked. Your money is back in your wallet.',
  });
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'release']);
}

/** What a server sees that was promoted, or restored from another: the epoch is of another place. */
async function moveBooks(): Promise<void> {
  await transfers.pool.query(`update books_epoch set place = 'a server that was lost', unsure_until = null`);
  await transfers.deps.books.renew();
}

describe('the payout of a sender who was blocked', () => {
  test('is not sent once the provider can be reached again, and the money is returned once', async () => {
    const { caller, id } = await ordered();
    transfers.script.submitFirst = [UNREACHABLE, UNREACHABLE];
    await transfers.execute(id);
    await laterSwept();
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'submitting', submissions: 0 });
    const sent = await sentOf(id);
    block(caller);
    await laterSwept();
    await laterSwept();
    await transfers.execute(id);
    await expectReturned(id);
    expect(await sentOf(id)).toBe(sent);
    expect(transfers.fakes.balances.get(caller.userId)).toBe(100_000_00n);
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'failed', failure_code: 'sender_blocked' });
    expect(await transfers.lifecycle(id)).toEqual(['PENDING', 'PROCESSING', 'PROCESSING', 'FAILED']);
    const events = (await transfers.messagesInOutbox()).filter(({ envelope }) => envelope.subject === id);
    expect(events.at(-1)?.envelope).toMatchObject({
      type: 'transfer.failed.v1',
      data: {
        status: 'FAILED',
        reason: 'Not sent, because your account was blocked. Your money is back in your wallet.',
      },
    });
    const administrator = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM-1' };
    const { body } = await transfers.send('GET', `/internal/transfers/${id}/recovery`, { caller: administrator });
    expect(body.transaction.status_reason_codes).toEqual([{ code: 'sender_blocked' }, { code: 'money_returned' }]);
    expect(body.legs).toMatchObject({ providerAsked: 'not_needed', providerPaid: 'not_needed', released: 'done' });
  });

  test.each<[string, SubmitResult]>([
    ['was not answered', { kind: 'ambiguous', reason: 'timeout' }],
    ['was accepted', { kind: 'accepted', state: 'accepted' }],
  ])('is followed to its end if its request %s', async (_what, answer) => {
    const { caller, id } = await ordered();
    transfers.script.submitFirst = [answer];
    await transfers.execute(id);
    block(caller);
    await laterSwept();
    expect((await transfers.transfer(id)).step).toBe('paying_out');
    const report = await transfers.paidReport((await transfers.payoutOf(id)).id);
    transfers.script.status = { kind: 'found', report };
    await laterSwept(6 * MINUTE_MS);
    expect((await transfers.transfer(id)).status).toBe('SETTLED');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'capture']);
  });

  test('is followed to its end if the process that sent it died, although a repeat was not sent', async () => {
    const { caller, id } = await ordered();
    transfers.script.beforeAnswer = () => Promise.reject(new Error('the process died'));
    await expect(transfers.execute(id)).rejects.toThrow('the process died');
    transfers.script.beforeAnswer = async () => undefined;
    transfers.script.submitFirst = [UNREACHABLE];
    await laterSwept();
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'submitting', submissions: 0 });
    block(caller);
    await laterSwept();
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'accepted', submissions: 1 });
    await transfers.callback(await transfers.paidReport((await transfers.payoutOf(id)).id));
    expect((await transfers.ended(id)).status).toBe('SETTLED');
  });

  test('is not sent again if the provider refused its only request for lack of our money', async () => {
    const { caller, id } = await ordered();
    transfers.script.submitFirst = [
      { kind: 'rejected', failure: { code: 'PAWAPAY_WALLET_OUT_OF_FUNDS', class: 'float' } },
    ];
    await transfers.execute(id);
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'submitting', submissions: 1 });
    block(caller);
    await laterSwept();
    await expectReturned(id);
    expect(await sentOf(id)).toBe(1);
  });

  test('is sent again under its id if an earlier request was, which the provider does not know', async () => {
    const { caller, id } = await ordered();
    transfers.script.submitFirst = [UNREACHABLE, { kind: 'ambiguous', reason: 'timeout' }];
    await transfers.execute(id);
    await laterSwept();
    transfers.script.status = { kind: 'not_found' };
    await laterSwept(16 * MINUTE_MS);
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'submitting', submissions: 1 });
    block(caller);
    await laterSwept();
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'accepted', submissions: 2 });
  });

  test('waits while identity is unavailable, and is then sent if the sender is not blocked', async () => {
    const { id } = await ordered();
    transfers.script.submitFirst = [UNREACHABLE];
    await transfers.execute(id);
    transfers.fakes.switches.identityUnavailable = true;
    await laterSwept();
    expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out', attempts: 2 });
    expect(await sentOf(id)).toBe(1);
    transfers.fakes.switches.identityUnavailable = false;
    await laterSwept();
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'accepted', submissions: 1 });
  });
});

describe('an order whose sender was blocked before its execution', () => {
  test('is not paid, and its money is returned once', async () => {
    const { caller, id } = await ordered();
    transfers.clock.advance(11_000);
    block(caller);
    await transfers.execute(id);
    await expectReturned(id);
    expect(await sentOf(id)).toBe(0);
    const administrator = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM-1' };
    const { body } = await transfers.send('GET', `/internal/transfers/${id}/recovery`, { caller: administrator });
    expect(body.legs).toMatchObject({ held: 'done', payoutWritten: 'not_needed', released: 'done' });
  });

  test('is not paid to a merchant here either', async () => {
    const recipientPhone = '+255763456777';
    transfers.fakes.merchants.set(recipientPhone, { userId: randomUUID(), name: 'Zawadi', tier: 'verified' });
    const { caller, id } = await ordered({ recipientPhone });
    transfers.clock.advance(11_000);
    block(caller);
    await transfers.execute(id);
    transfers.fakes.merchants.delete(recipientPhone);
    await expectReturned(id);
  });

  test('waits while identity is unavailable, and is then paid if the sender is not blocked', async () => {
    const { caller, id } = await ordered();
    transfers.clock.advance(11_000);
    transfers.fakes.unanswered.add(caller.userId);
    expect((await transfers.execute(id))?.outcome).toBe('postponed');
    expect(await sentOf(id)).toBe(0);
    transfers.fakes.unanswered.clear();
    await laterSwept();
    expect(await sentOf(id)).toBe(1);
  });

  test('costs no call while it is younger than ten seconds', async () => {
    const { caller, id } = await ordered();
    transfers.clock.advance(9_000);
    await transfers.execute(id);
    expect(await sentOf(id)).toBe(1);
    expect(transfers.fakes.statesAsked).not.toContain(caller.userId);
  });

  test('is not paid by a process whose clock is behind', async () => {
    const { caller, id } = await ordered();
    block(caller);
    transfers.clock.advance(-MINUTE_MS);
    await transfers.execute(id);
    transfers.clock.advance(MINUTE_MS);
    await expectReturned(id);
  });
});

describe('a withdrawal of a merchant who was blocked', () => {
  async function withdrawn(amount: string) {
    const caller = { ...transfers.merchant(900_000_00n), name: 'Amina Otieno' };
    const { body: account } = await transfers.send('POST', '/internal/linked-accounts', { payload: phone, caller });
    const order = { amount, currency: 'KES', linkedAccountId: account.id, clientTransactionId: `W-${randomUUID()}` };
    const { body } = await transfers.send('POST', '/internal/withdrawals', { payload: order, caller });
    return { caller, id: body.withdrawal.id as string };
  }
  async function approved() {
    const withdrawal = await withdrawn('150000');
    await transfers.execute(withdrawal.id);
    const administrator = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM-1' };
    const payload = { id: withdrawal.id, decision: { kind: 'approve' } };
    const decided = await transfers.send('POST', '/internal/withdrawals/decide', { payload, caller: administrator });
    expect(decided.status).toBe(200);
    return withdrawal;
  }
  const statusOf = async ({ caller, id }: { caller: Caller; id: string }) => {
    const { body } = await transfers.send('GET', '/internal/withdrawals', { caller });
    return body.withdrawals.find((withdrawal: { id: string }) => withdrawal.id === id).status;
  };

  test('is not sent, however young it is', async () => {
    const { caller, id } = await withdrawn('5000');
    block(caller);
    await transfers.execute(id);
    await expectReturned(id);
    expect(await sentOf(id)).toBe(0);
    expect(await statusOf({ caller, id })).toBe('failed');
  });

  test('is not sent after its approval', async () => {
    const { caller, id } = await approved();
    block(caller);
    await transfers.execute(id);
    await expectReturned(id);
    expect(await sentOf(id)).toBe(0);
    expect(await statusOf({ caller, id })).toBe('failed');
  });

  test('waits for the provider after a failover, if lost books may have sent it', async () => {
    const { caller, id } = await approved();
    await moveBooks();
    block(caller);
    await transfers.execute(id);
    expect(await transfers.transfer(id)).toMatchObject({ step: 'approved', status: 'PENDING' });
    const look = { since: transfers.clock.now(), now: transfers.clock.now() };
    expect((await lookAtBacklog(transfers.db, look)).waiting).toBe(0);
    const report = { clientPayoutId: String((await transfers.transfer(id)).metadata.payoutId), state: 'processing' };
    transfers.script.status = { kind: 'found', report: { ...report, state: 'processing' } };
    await laterSwept();
    expect((await transfers.transfer(id)).step).toBe('paying_out');
    await transfers.callback(await transfers.paidReport((await transfers.payoutOf(id)).id));
    expect((await transfers.ended(id)).status).toBe('SETTLED');
  });
});

describe('after a failover, an unsent payout of a blocked sender', () => {
  async function unsent() {
    const { caller, id } = await ordered();
    await moveBooks();
    transfers.script.submit = UNREACHABLE;
    await transfers.execute(id);
    transfers.script.submit = { kind: 'accepted', state: 'accepted' };
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'submitting', submissions: 0 });
    block(caller);
    return id;
  }

  test('is not sent, and its money is returned once the provider does not know it after the grace time', async () => {
    const id = await unsent();
    const sent = await sentOf(id);
    transfers.script.status = { kind: 'not_found' };
    await laterSwept();
    expect((await transfers.transfer(id)).step).toBe('paying_out');
    await laterSwept(16 * MINUTE_MS);
    await expectReturned(id);
    expect(await sentOf(id)).toBe(sent);
  });

  test('is not returned once the provider has known it, even if it denies that later', async () => {
    const id = await unsent();
    const report = await transfers.paidReport((await transfers.payoutOf(id)).id);
    transfers.script.status = { kind: 'found', report: { ...report, state: 'processing' } };
    await laterSwept();
    expect(await transfers.payoutOf(id)).toMatchObject({ is_acknowledged: true });
    transfers.script.status = { kind: 'not_found' };
    await laterSwept(16 * MINUTE_MS);
    await laterSwept(16 * MINUTE_MS);
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
  });

  test('is acknowledged from its beginning if the provider had it before', async () => {
    const { caller, id } = await ordered();
    await moveBooks();
    block(caller);
    transfers.clock.advance(MINUTE_MS);
    const payoutId = String((await transfers.transfer(id)).metadata.payoutId);
    transfers.script.status = { kind: 'found', report: { clientPayoutId: payoutId, state: 'processing' } };
    await transfers.execute(id);
    expect(await transfers.payoutOf(id)).toMatchObject({ id: payoutId, is_acknowledged: true });
    expect(await sentOf(id)).toBe(0);
  });

  test('is followed to its end if the provider fails it meanwhile, and a merchant here is not paid instead', async () => {
    const [recipientPhone, merchant] = ['+255763456778', transfers.merchant(0n)];
    transfers.fakes.merchants.set(recipientPhone, { userId: merchant.userId, name: 'Zawadi', tier: 'verified' });
    const { caller, id } = await ordered({ recipientPhone });
    await moveBooks();
    block(caller);
    transfers.clock.advance(MINUTE_MS);
    const clientPayoutId = String((await transfers.transfer(id)).metadata.payoutId);
    const figures = { amount: '23030.00', currency: 'TZS', msisdn: recipientPhone.slice(1) };
    const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' as const };
    const states = [{ state: 'processing' as const }];
    transfers.script.beforeStatus = async () => {
      const state = states.shift() ?? { state: 'failed' as const, failure };
      transfers.script.status = { kind: 'found', report: { clientPayoutId, ...figures, ...state } };
    };
    await transfers.execute(id);
    transfers.script.beforeStatus = async () => undefined;
    transfers.fakes.merchants.delete(recipientPhone);
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold', 'release']);
    expect(transfers.fakes.balances.get(merchant.userId)).toBe(0n);
    expect(transfers.fakes.balances.get(caller.userId)).toBe(100_000_00n);
    expect(await sentOf(id)).toBe(0);
  });

  test('is followed to its end if the lost books had sent it', async () => {
    const id = await unsent();
    const report = await transfers.paidReport((await transfers.payoutOf(id)).id);
    transfers.script.status = { kind: 'found', report };
    transfers.script.submit = { kind: 'duplicate' };
    await laterSwept();
    await laterSwept();
    expect((await transfers.transfer(id)).status).toBe('SETTLED');
  });
});
