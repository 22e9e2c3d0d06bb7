import type { Caller } from '@vuka/access/caller';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { listMessages } from '@vuka/service-kit/outbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeEach(async () => {
  identity = await createIdentity();
});
afterEach(() => identity?.stop());

async function newAdmin(name: string, role: AdminRole = 'owner'): Promise<Caller> {
  const email = `${name}@admin.test`;
  const deps = { db: identity.db, hasher: createPinHasher(PEPPERS) };
  const { adminId } = await createAdmin(deps, { email, name, phone: '', pin: '2468', resetPin: false, role });
  const row = await identity.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  return { ...admin, userId: row.id, adminId, name, role };
}

const change = (of: Caller, role: AdminRole, by: Caller) =>
  identity.send('POST', `/internal/administrators/${of.userId}/role`, { role }, by);
const decide = (id: string, decision: object, by: Caller) =>
  identity.send('POST', '/internal/role-proposals/decide', { id, decision }, { ...by, pinVerified: true });
const block = (of: Caller, by: Caller) =>
  identity.send('POST', `/internal/merchants/${of.userId}/toggle-block`, { isBlocked: true }, by);

async function roles(): Promise<Record<string, AdminRole>> {
  const rows = await identity.db
    .selectFrom('admins')
    .innerJoin('users', 'users.id', 'admins.user_id')
    .select(['full_name', 'role'])
    .execute();
  return Object.fromEntries(rows.map(({ full_name, role }) => [full_name, role]));
}

test('an owner changes a role that moves no money alone; one that does waits for a second owner', async () => {
  const [neema, baraka] = [await newAdmin('neema'), await newAdmin('baraka')];
  const zuri = await newAdmin('zuri', 'support');
  expect((await change(zuri, 'auditor', neema)).body).toMatchObject({
    isWaiting: false,
    administrator: { role: 'auditor', roleProposal: null },
  });
  const { body } = await change(zuri, 'finance', neema);
  expect(body).toMatchObject({
    isWaiting: true,
    administrator: { role: 'auditor', roleProposal: { from: 'auditor', to: 'finance', isOwn: true } },
  });
  const { id } = body.administrator.roleProposal;
  expect((await decide(id, { kind: 'approve' }, neema)).body.reason).toBe('proposal_of_own');
  expect((await decide(id, { kind: 'approve' }, zuri)).body.reason).toBe('role_not_allowed');
  expect((await decide(id, { kind: 'approve' }, baraka)).body.administrator).toMatchObject({
    role: 'finance',
    roleProposal: null,
  });
  expect((await change(zuri, 'support', neema)).body.isWaiting).toBe(true);
  expect((await roles()).zuri).toBe('finance');
});

test('the only owner moves someone into or out of a role that moves money with the PIN only', async () => {
  const neema = { ...(await newAdmin('neema')), pinVerified: false };
  const zuri = await newAdmin('zuri', 'support');
  expect((await change(zuri, 'owner', neema)).body.reason).toBe('role_changed_alone');
  expect((await roles()).zuri).toBe('support');
  expect((await change(zuri, 'auditor', neema)).body.isWaiting).toBe(false);
  expect((await change(zuri, 'finance', { ...neema, pinVerified: true })).body.isWaiting).toBe(false);
  expect((await change(zuri, 'support', neema)).body.reason).toBe('role_changed_alone');
});

test('what an owner proposed is not approved once that owner is blocked or has another role', async () => {
  const [neema, baraka, amani] = [await newAdmin('neema'), await newAdmin('baraka'), await newAdmin('amani')];
  const zuri = await newAdmin('zuri', 'support');
  const propose = async () => (await change(zuri, 'finance', neema)).body.administrator.roleProposal.id as string;
  const first = await propose();
  await block(neema, baraka);
  expect((await decide(first, { kind: 'approve' }, amani)).body.reason).toBe('requester_lost_right');
  await identity.db.updateTable('users').set({ is_blocked: false }).where('id', '=', neema.userId).execute();
  await identity.db.updateTable('admins').set({ role: 'support' }).where('user_id', '=', neema.userId).execute();
  expect((await decide(first, { kind: 'approve' }, amani)).body.reason).toBe('requester_lost_right');
  expect((await roles()).zuri).toBe('support');
  expect((await decide(first, { kind: 'refuse', reason: 'of a former owner' }, amani)).status).toBe(200);
});

test('identity tells the deciding services in which role an administrator can act now', async () => {
  const [neema, zuri] = [await newAdmin('neema'), await newAdmin('zuri', 'support')];
  const merchant = await identity.register();
  const now = async (userId: string) =>
    (await identity.send('GET', `/internal/administrators/${userId}/now`)).body.role;
  expect([await now(neema.userId), await now(zuri.userId), await now(merchant.user.id)]).toEqual([
    'owner',
    'support',
    null,
  ]);
  await block(zuri, neema);
  expect(await now(zuri.userId)).toBeNull();
});

test('an owner is not made less by another one alone, and a refusal keeps the role', async () => {
  const [neema, baraka] = [await newAdmin('neema'), await newAdmin('baraka')];
  const { body } = await change(baraka, 'auditor', neema);
  const refused = await decide(body.administrator.roleProposal.id, { kind: 'refuse', reason: 'No.' }, baraka);
  expect(refused.body.administrator).toMatchObject({ role: 'owner', roleProposal: null });
});

test('a blocked owner still counts: blocking the other one does not make an owner the only one', async () => {
  const [neema, baraka] = [await newAdmin('neema'), await newAdmin('baraka')];
  const zuri = await newAdmin('zuri', 'auditor');
  expect((await block(baraka, neema)).status).toBe(200);
  expect((await change(zuri, 'finance', neema)).body.isWaiting).toBe(true);
});

test('the last owner who can sign in is neither demoted nor blocked', async () => {
  const neema = await newAdmin('neema');
  await newAdmin('zuri', 'auditor');
  expect((await change(neema, 'auditor', neema)).body.reason).toBe('role_of_last_owner');
  const baraka = await newAdmin('baraka');
  expect((await block(baraka, neema)).status).toBe(200);
  expect((await block(neema, baraka)).body.reason).toBe('block_of_last_owner');
  const { id } = (await change(neema, 'auditor', neema)).body.administrator.roleProposal;
  expect((await decide(id, { kind: 'approve' }, baraka)).body.reason).toBe('role_of_last_owner');
  expect(await roles()).toEqual({ neema: 'owner', baraka: 'owner', zuri: 'auditor' });
});

test('of two owners who are demoted at once one remains', async () => {
  const [neema, baraka] = [await newAdmin('neema'), await newAdmin('baraka')];
  const first = (await change(neema, 'auditor', neema)).body.administrator.roleProposal;
  const second = (await change(baraka, 'auditor', baraka)).body.administrator.roleProposal;
  const answers = await Promise.all([
    decide(first.id, { kind: 'approve' }, baraka),
    decide(second.id, { kind: 'approve' }, neema),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(Object.values(await roles()).sort()).toEqual(['auditor', 'owner']);
});

test('only owners block and unlock administrators, and change roles', async () => {
  const neema = await newAdmin('neema');
  const support = await newAdmin('support', 'support');
  const merchant = await identity.register();
  expect((await block(neema, support)).body.reason).toBe('role_not_allowed');
  const unlock = await identity.send('POST', `/internal/merchants/${neema.userId}/unlock`, {}, support);
  expect(unlock.body.reason).toBe('role_not_allowed');
  expect((await change(support, 'owner', support)).body.reason).toBe('role_not_allowed');
  expect((await block({ ...neema, userId: merchant.user.id }, support)).status).toBe(200);
});

test('a change of a role is on the audit trail, and says whether one owner did it alone', async () => {
  const neema = await newAdmin('neema');
  const zuri = await newAdmin('zuri', 'auditor');
  await change(zuri, 'finance', { ...neema, pinVerified: true });
  await newAdmin('baraka');
  await change(zuri, 'owner', neema);
  const actions = (await listMessages(identity.db))
    .map(({ envelope }) => envelope)
    .filter(({ type, subject }) => type === 'admin.action-recorded.v1' && subject === zuri.userId)
    .map(({ data }) => (data as { action: string }).action);
  expect(actions).toEqual(['administrator.created', 'administrator.role-changed-alone', 'administrator.role-proposed']);
});
