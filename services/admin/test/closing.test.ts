import { randomUUID } from 'node:crypto';
import { ACCOUNT_CLOSED } from '@vuka/contracts/messages/identity';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Delivery } from '@vuka/service-kit/messaging/message-bus';
import { merchantCaller } from '@vuka/test-kit/callers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseClosedAccount, eraseLateMessages } from '#closing/erase-account.ts';
import { NO_CLEAR_TEXT } from '#notifications/sealed-notifications.ts';
import { type AdminService, createAdminService } from './harness.ts';

let service: AdminService;
beforeAll(async () => {
  service = await createAdminService();
});
afterAll(() => service.stop());

const eventOf = (userId: string) => {
  const data = { userId, at: new Date().toISOString() };
  return { envelope: cloudEvent({ source: '/vuka/identity', type: ACCOUNT_CLOSED, data }) } as Delivery;
};
const write = (userId: string) => {
  const id = uuidv7();
  const content = { recipient: 'a@b.c', subject: null, body: 'x', lastError: null };
  const sealed = service.deps.sealed.seal({ id }, content);
  const row = { id, event_id: id, user_id: userId, channel: 'email' as const, status: 'kept' as const, sealed };
  const times = { created_at: new Date(), due_at: null, sent_at: null };
  return service.db
    .insertInto('notifications')
    .values({ ...NO_CLEAR_TEXT, ...row, ...times })
    .execute();
};
const messagesTo = async (userId: string) =>
  (await service.db.selectFrom('notifications').select('id').where('user_id', '=', userId).execute()).length;

test('a closed account leaves no messages, also none that were written meanwhile, and others keep theirs', async () => {
  const [closed, other] = [randomUUID(), randomUUID()];
  for (const userId of [closed, closed, other]) await write(userId);
  for (const _ of [1, 2]) expect(await eraseClosedAccount(service, eventOf(closed))).toEqual({ kind: 'ack' });
  expect([await messagesTo(closed), await messagesTo(other)]).toEqual([0, 1]);
  await write(closed);
  await eraseLateMessages(service.db);
  expect([await messagesTo(closed), await messagesTo(other)]).toEqual([0, 1]);
});

test('an account with a credit that waits for approval, or is not booked, is not closed', async () => {
  const userId = randomUUID();
  const caller = { ...merchantCaller, userId };
  const ask = (by = caller) => service.send('GET', `/internal/accounts/${userId}/may-close`, by);
  const credit = (approval: 'awaiting_approval' | 'refused' | 'not_needed', booked: string | null) => ({
    id: uuidv7(),
    admin_id: 'ADM1',
    admin_user_id: randomUUID(),
    idempotency_key: randomUUID(),
    kind: 'credit' as const,
    beneficiary_user_id: userId,
    beneficiary_id: 'ABCD1234EFGH',
    amount: '10.00',
    currency: 'KES' as const,
    reason: 'x',
    reference: randomUUID(),
    transaction_id: booked,
    approval,
    created_at: new Date(),
    ...(approval === 'refused' ? REFUSED : UNDECIDED),
  });
  const enter = (...given: Parameters<typeof credit>) =>
    service.db
      .insertInto('admin_deposits')
      .values(credit(...given))
      .returning('id')
      .executeTakeFirstOrThrow();
  await enter('not_needed', randomUUID());
  await enter('refused', null);
  expect((await ask()).status).toBe(200);
  for (const approval of ['awaiting_approval', 'not_needed'] as const) {
    const { id } = await enter(approval, null);
    expect((await ask()).body).toMatchObject({ code: 'account_not_empty', reason: 'account_awaits_credit' });
    await service.db.deleteFrom('admin_deposits').where('id', '=', id).execute();
  }
  expect((await ask({ ...caller, userId: randomUUID() })).status).toBe(403);
});

const UNDECIDED = {
  admin_name: null,
  beneficiary_name: null,
  checker_user_id: null,
  checker_id: null,
  checker_name: null,
  decided_at: null,
  refusal_reason: null,
};
const REFUSED = {
  ...UNDECIDED,
  checker_user_id: randomUUID(),
  checker_id: 'ADM2',
  checker_name: 'Second',
  decided_at: new Date(),
  refusal_reason: 'no',
};
