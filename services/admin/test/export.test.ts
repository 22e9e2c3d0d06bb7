import { randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { ExportedRecords } from '@vuka/contracts/http/account-export';
import { adminCaller, merchantCaller } from '@vuka/test-kit/callers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminService, createAdminService } from './harness.ts';

let service: AdminService;
beforeAll(async () => {
  service = await createAdminService();
});
afterAll(() => service.stop());

const merchant = (): Caller => ({ ...merchantCaller, userId: randomUUID() });
const read = (what: string, caller: Caller, userId = caller.userId) =>
  service.send('GET', `/internal/accounts/${userId}/${what}`, caller);

/** Messages to a merchant, whose texts are numbers from 1. */
async function merchantWith(messages: number): Promise<Caller> {
  const caller = merchant();
  await sql`
    insert into notifications (id, event_id, user_id, channel, recipient, body, status, created_at)
    select gen_random_uuid(), gen_random_uuid(), ${caller.userId}::uuid, 'email', 'a@b.c', n, 'sent', now()
    from generate_series(1, ${messages}::int) n`.execute(service.db);
  return caller;
}
const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const numbersOf = (messages: { body: string }[]) => messages.map(({ body }) => Number(body)).toSorted((a, b) => a - b);

test('every message is in the export once, over its pages, and none of others', async () => {
  const [amina] = [await merchantWith(1_101), await merchantWith(1)];
  const { body: first } = await read('records?paged=true', amina);
  const pages: { body: string }[][] = [first.messages];
  for (let cursor: string | null = first.nextCursor; cursor !== null; ) {
    const { status, body } = await read(`messages?cursor=${cursor}`, amina);
    expect(status).toBe(200);
    pages.push(body.items);
    cursor = body.nextCursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([500, 500, 101]);
  expect(numbersOf(pages.flat())).toEqual(numbersTo(1_101));
});

test('a gateway of the previous release gets up to 5,000 messages in one answer, and never a part of more', async () => {
  const [few, many] = [await merchantWith(5_000), await merchantWith(5_001)];
  expect(numbersOf(ExportedRecords.parse((await read('records', few)).body).messages)).toEqual(numbersTo(5_000));
  expect((await read('records', many)).status).toBe(503);
  expect((await read('records?paged=true', many)).status).toBe(200);
});

test.each(['records', 'messages'])('%s of another user are for administrators who may', async (what) => {
  const amina = await merchantWith(1);
  const asks = [merchant(), { ...adminCaller, role: 'finance' as const }, { ...adminCaller, role: 'support' as const }];
  const statuses = await Promise.all(asks.map(async (caller) => (await read(what, caller, amina.userId)).status));
  expect(statuses).toEqual([403, 403, 200]);
});
