import { randomUUID } from 'node:crypto';
import { ACTION_RECORDED } from '@vuka/contracts/messages/audit';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { createDatabase } from '@vuka/service-kit/database';
import { readKeyring } from '@vuka/service-kit/keyring';
import type { Delivery } from '@vuka/service-kit/messaging/message-bus';
import { migrate } from '@vuka/service-kit/migrate';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHeadSigner, signHead } from '#audit-trail/audit-heads.ts';
import { AUDIT_QUEUE, recordActions } from '#audit-trail/record-actions.ts';
import { verifyTrail } from '#audit-trail/verify-trail.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { createAdminService } from './harness.ts';

const AUDIT_KEY = 'an audit key of at least 32 characters';
const signer = createHeadSigner(readKeyring(AUDIT_KEY));
let service: Awaited<ReturnType<typeof createAdminService>>;
beforeAll(async () => {
  service = await createAdminService();
});
afterAll(() => service.stop());

/** An action as another service reports it. */
function action(name: string): Delivery {
  const data = {
    actor: { userId: randomUUID(), adminId: 'ADM1', name: 'Zuri Ådmin 🦁' },
    address: null,
    action: name,
    subject: { kind: 'rates', id: 'KES/TZS', label: null },
    reason: null,
    before: { buyRate: '23.5', markup: 2 },
    after: { buyRate: '24', nested: { b: 1, a: [true, null] } },
    requestId: 'request-1',
    at: '2026-05-10T09:00:00.123Z',
  };
  const envelope = cloudEvent({ source: '/vuka/rates', type: ACTION_RECORDED, data });
  return {
    envelope,
    queue: AUDIT_QUEUE,
    routingKey: ACTION_RECORDED,
    attempt: 1,
    redelivered: false,
    signal: new AbortController().signal,
    stopping: new AbortController().signal,
    waitUntilMs: 0,
  };
}

const record = (name: string) => recordActions({ db: service.db, onRecorded: () => undefined }, action(name));
const check = () => verifyTrail(service.db, signer);
const sign = (day: string) => {
  const now = () => new Date(`${day}T09:00:00Z`);
  return signHead({ db: service.db, signer, logger: service.deps.logger, now });
};

/** What the owner of the database can do, and the service's role cannot. */
async function tamper(change: ReturnType<typeof sql>, table = 'audit_trail'): Promise<void> {
  await sql`alter table ${sql.ref(table)} disable trigger user`.execute(service.db);
  await sql`grant update, delete on ${sql.ref(table)} to current_user`.execute(service.db);
  await change.execute(service.db);
  await sql`alter table ${sql.ref(table)} enable trigger user`.execute(service.db);
}

/** Undoes a change, so that each one is found by itself. */
async function whileTampered(change: ReturnType<typeof sql>, undo: ReturnType<typeof sql>, table?: string) {
  await tamper(change, table);
  const { problem } = await check();
  await tamper(undo, table);
  return problem;
}

test('entries that were added at the same time form one chain, which holds', async () => {
  await Promise.all(Array.from({ length: 25 }, (_, n) => record(`rates.updated-${n}`)));
  expect(await check()).toEqual({ entries: 25, heads: 0, problem: undefined });
});

test('the end of the trail is signed once a day', async () => {
  await sign('2026-05-10');
  await record('rates.updated');
  await sign('2026-05-10');
  await sign('2026-05-11');
  expect(await check()).toEqual({ entries: 26, heads: 2, problem: undefined });
});

test('heads are accepted under a replaced key while it is in the keyring, and under no unknown one', async () => {
  const other = 'another audit key of at least 32 characters';
  expect(
    (await verifyTrail(service.db, createHeadSigner(readKeyring(`${other},${AUDIT_KEY}`)))).problem,
  ).toBeUndefined();
  const { problem } = await verifyTrail(service.db, createHeadSigner(readKeyring(other)));
  expect(problem).toBe(
    `the head of 2026-05-10, entry 25: it is signed by the key ${signer.keyId}, which VUKA_AUDIT_KEY lacks`,
  );
});

test('a changed entry is found', async () => {
  const set = (name: string) => sql`update audit_trail set actor_name = ${name} where position = 7`;
  expect(await whileTampered(set('Somebody else'), set('Zuri Ådmin 🦁'))).toMatch(/^entry 7 \(.+\): it was changed$/);
});

test('a changed entry with a hash of its own is found by the next one', async () => {
  await tamper(sql`create table kept as select * from audit_trail where position = 7`);
  const change = sql`
    update audit_trail set reason = 'none', hash = sha256(previous_hash || 'another text') where position = 7`;
  const undo = sql`update audit_trail t set reason = kept.reason, hash = kept.hash from kept where t.id = kept.id`;
  expect(await whileTampered(change, undo)).toMatch(/^entry 7 /);
});

test('a removed entry is found, and a cut end by the signed head', async () => {
  await tamper(sql`create table gone as select * from audit_trail where position in (12, 26)`);
  const remove = (position: number) => sql`delete from audit_trail where position = ${position}`;
  const restore = (position: number) => sql`insert into audit_trail select * from gone where position = ${position}`;
  expect(await whileTampered(remove(12), restore(12))).toMatch(/^entry 12 \(.+\): an entry is missing before it$/);
  expect(await whileTampered(remove(26), restore(26))).toMatch(/^the head of .+, entry 26: the entry is missing/);
  expect((await check()).problem).toBeUndefined();
});

test('a head that was signed with no key of ours is found', async () => {
  await tamper(sql`create table head as select * from audit_heads`);
  const change = sql`update audit_heads set signature = sha512('forged') where position = 26`;
  const undo = sql`
    update audit_heads h set signature = head.signature from head where h.day = head.day`;
  expect(await whileTampered(change, undo, 'audit_heads')).toMatch(/entry 26: the signature is wrong$/);
});

test('entries from before the chain are chained in the order in which they were added', async () => {
  const server = await createTestDatabase('older_trail');
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'admin-test', logger: service.deps.logger });
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0012-chained-trail'));
  await migrate(db as never, earlier, service.deps.logger);
  await sql`
    insert into audit_trail (id, at, actor_user_id, actor_name, action, subject_kind, subject_id, request_id, after)
    select gen_random_uuid(), now() - make_interval(mins => n), gen_random_uuid(), 'Zuri', 'rates.updated', 'rates', 'x',
      'request', jsonb_build_object('n', n, 'text', 'a, b') from generate_series(1, 1200) n`.execute(db);
  await migrate(db as never, migrations, service.deps.logger);
  await recordActions({ db, onRecorded: () => undefined }, action('rates.updated'));
  expect(await verifyTrail(db, signer)).toEqual({ entries: 1_201, heads: 0, problem: undefined });
  await close();
  await server.drop();
});

test('the service itself can change neither an entry nor a head', async () => {
  for (const table of ['audit_trail', 'audit_heads']) {
    await expect(sql`delete from ${sql.ref(table)}`.execute(service.db)).rejects.toThrow(/append-only/);
  }
});
