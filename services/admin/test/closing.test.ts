import { randomUUID } from 'node:crypto';
import { ACCOUNT_CLOSED } from '@vuka/contracts/messages/identity';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Delivery } from '@vuka/service-kit/messaging/message-bus';
import { merchantCaller } from '@vuka/test-kit/callers';
import { type RawBuilder, sql } from 'kysely';
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

/** Refuses what a trigger finds wrong with a deletion, as the server cancels a statement that takes too long. */
async function cancelling(condition: RawBuilder<unknown>, act: () => Promise<void>): Promise<void> {
  await sql`
    create function cancel_deletion() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise 'canceling statement due to statement timeout' using errcode = '57014'; end if;
      return null;
    end $$`.execute(service.db);
  await sql`
    create trigger cancelled after delete on notifications referencing old table as gone
    for each statement execute function cancel_deletion()`.execute(service.db);
  await act().finally(() => sql`drop function cancel_deletion cascade`.execute(service.db));
}
const writeMany = (userId: string, count: number) =>
  sql`
    insert into notifications (id, event_id, user_id, channel, recipient, body, status, created_at)
    select gen_random_uuid(), gen_random_uuid(), ${userId}::uuid, 'email', '', '', 'sent', now()
    from generate_series(1, ${count}::int)`.execute(service.db);

test('no statement deletes more than ten thousand messages, however many the closed account had', async () => {
  const closed = randomUUID();
  await writeMany(closed, 20_001);
  await cancelling(sql`(select count(*) from gone) > 10000`, async () => {
    expect(await eraseClosedAccount(service, eventOf(closed))).toEqual({ kind: 'ack' });
    expect(await messagesTo(closed)).toBe(0);
    await writeMany(closed, 10_001);
    await eraseLateMessages(service.db);
  });
  expect(await messagesTo(closed)).toBe(0);
});

test('messages whose deletion failed are deleted later', async () => {
  const closed = randomUUID();
  await write(closed);
  await cancelling(sql`true`, () => expect(eraseClosedAccount(service, eventOf(closed))).rejects.toThrow('canceling'));
  expect(await messagesTo(closed)).toBe(1);
  await eraseLateMessages(service.db);
  expect(await messagesTo(closed)).toBe(0);
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
