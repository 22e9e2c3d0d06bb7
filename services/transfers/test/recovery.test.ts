import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryOutRetry } from '#saga/carry-out-retry.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

async function atProvider() {
  const amina = transfers.merchant();
  const { transaction } = await transfers.order(amina);
  await transfers.execute(transaction.id);
  const admin = {
    ...amina,
    userId: '0190a000-0000-7000-8000-00000000ad01',
    isAdmin: true,
    role: 'owner' as const,
    adminId: 'ADM1',
  };
  return { id: transaction.id as string, amina, admin };
}

test('only administrators see a transfer’s progress', async () => {
  const { id, amina, admin } = await atProvider();
  const { body } = await transfers.send('GET', `/internal/transfers/${id}/recovery`, { caller: admin });
  expect(body).toMatchObject({
    legs: {
      held: 'done',
      payoutWritten: 'done',
      providerAsked: 'done',
      providerPaid: 'waiting',
      captured: 'not_begun',
    },
    payout: { provider: 'scripted', requestsSent: 1 },
    retries: [],
    isRetryable: true,
  });
  await transfers.send('GET', `/internal/transfers/${id}/recovery`, { caller: admin });
  const readings = (await transfers.messagesInOutbox()).filter(
    ({ envelope }) => (envelope.data as { action?: string }).action === 'transfer.viewed' && envelope.subject === id,
  );
  expect(readings).toHaveLength(1);
  for (const [caller, status] of [
    [amina, 403],
    [undefined, 401],
  ] as const) {
    const options = caller ? { caller } : {};
    expect((await transfers.send('GET', `/internal/transfers/${id}/recovery`, options)).status).toBe(status);
    expect((await transfers.send('POST', `/internal/transfers/${id}/recovery/inquire`, options)).status).toBe(status);
    for (const part of ['recent-transfers', 'volumes']) {
      expect((await transfers.send('GET', `/internal/users/${amina.userId}/${part}`, options)).status).toBe(status);
    }
  }
});

test('an inquiry asks the provider, changes nothing, and is recorded', async () => {
  const { id, admin } = await atProvider();
  const before = await transfers.transfer(id);
  transfers.script.status = { kind: 'not_found' };
  const { status, body } = await transfers.send('POST', `/internal/transfers/${id}/recovery/inquire`, {
    caller: admin,
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { answer: 'not_found', state: null } });
  expect(await transfers.transfer(id)).toEqual(before);
  expect(await transfers.messages(id)).toContain('admin.action-recorded.v1');
  const unknown = '/internal/transfers/0190a000-0000-7000-8000-00000000dead/recovery/inquire';
  expect((await transfers.send('POST', unknown, { caller: admin })).status).toBe(404);
});

test('ten requests to retry at once are recorded once', async () => {
  const { id, admin } = await atProvider();
  const retry = () => transfers.send('POST', `/internal/transfers/${id}/retry`, { caller: admin });
  const answers = await Promise.all(Array.from({ length: 10 }, retry));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  const recorded = (await transfers.messages(id)).filter((type) => type === 'admin.action-recorded.v1');
  expect(recorded).toHaveLength(1);
});

test('a retry whose payout failed is recorded as unsuccessful', async () => {
  const { id, admin } = await atProvider();
  await transfers.send('POST', `/internal/transfers/${id}/retry`, { caller: admin });
  const { id: retryId } = await transfers.db
    .selectFrom('transaction_retries')
    .select('id')
    .where('transaction_id', '=', id)
    .executeTakeFirstOrThrow();
  const payout = await transfers.payoutOf(id);
  const failure = { code: 'RECIPIENT_NOT_FOUND', class: 'recipient' } as const;
  const report = { ...(await transfers.paidReport(payout.id)), state: 'failed' as const, failure };
  const retries = async () =>
    (await transfers.send('GET', `/internal/transfers/${id}/recovery`, { caller: admin })).body.retries;
  transfers.script.status = { kind: 'ambiguous', reason: 'no answer' };
  await carryOutRetry(transfers.deps, { transferId: id, retryId });
  expect(await retries()).toMatchObject([{ resultCodes: [{ code: 'waiting_for_provider' }], succeeded: null }]);
  await transfers.failedCallback(report);
  await transfers.ended(id);
  await transfers.sweep();
  expect(await retries()).toMatchObject([
    { result: 'ended as FAILED', resultCodes: [{ code: 'ended', params: { status: 'FAILED' } }], succeeded: false },
  ]);
});

test('a merchant’s recent transfers are those that they sent', async () => {
  const { id, amina, admin } = await atProvider();
  const { body } = await transfers.send('GET', `/internal/users/${amina.userId}/recent-transfers`, { caller: admin });
  expect(body.items.map((item: { id: string }) => item.id)).toEqual([id]);
});

test('of the transfers of others an administrator sees what the role allows, which goes on the audit trail once', async () => {
  const { id, admin } = await atProvider();
  const seen = async (role: 'support' | null, userId: string) => {
    const caller = { ...admin, role, userId };
    const paths = [`/internal/transfers/${id}`, `/internal/transfers/${id}/timeline`];
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await transfers.send('GET', path, { caller })).status);
    return statuses;
  };
  const [support, unknown] = [randomUUID(), randomUUID()];
  expect([await seen('support', support), await seen('support', support), await seen(null, unknown)]).toEqual([
    [200, 200],
    [200, 200],
    [404, 404],
  ]);
  const readers = (await transfers.messagesInOutbox()).flatMap(({ envelope }) => {
    const { action, actor } = envelope.data as { action?: string; actor?: { userId: string } };
    return action === 'transfer.viewed' && envelope.subject === id ? [actor?.userId] : [];
  });
  expect(readers).toEqual([support]);
});
