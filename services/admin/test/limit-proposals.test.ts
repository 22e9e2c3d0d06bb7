import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AdminService, createAdminService } from './harness.ts';

const DAY_MS = 24 * 3_600_000;
const approve = { kind: 'approve' };
const refuse = { kind: 'refuse', reason: 'not this week' };
const SETTINGS = {
  systemName: 'Vuka',
  supportEmail: 'support@vuka.test',
  maxPinAttempts: 3,
  autoLogoutMinutes: 30,
  withdrawalApprovalLimit: { KES: '100000', TZS: '2000000' },
  creditApprovalLimit: { KES: '10000000', TZS: '200000000', USD: '75000' },
};
const COLUMNS = {
  withdrawal_approval_limit_kes: '100000',
  withdrawal_approval_limit_tzs: '2000000',
  credit_approval_limit_kes: '10000000',
  credit_approval_limit_tzs: '200000000',
  credit_approval_limit_usd: '75000',
};

let service: AdminService;
beforeAll(async () => {
  service = await createAdminService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.deleteFrom('proposals').execute();
  await service.db.deleteFrom('outbox').execute();
  await service.db
    .updateTable('settings')
    .set({ ...COLUMNS, system_name: 'Vuka', max_pin_attempts: 3 })
    .execute();
});

const save = (change: object, caller = service.administrator()) =>
  service.send('POST', '/internal/settings/system', caller, { ...SETTINGS, ...change });
const inForce = async () => (await service.send('GET', '/internal/settings/system', service.administrator())).body;
const decide = (id: string, decision: object, checker = service.administrator()) =>
  service.send('POST', '/internal/limit-proposals/decide', checker, { id, decision });
const list = async (status = 'awaiting_approval') =>
  (await service.send('GET', `/internal/limit-proposals?status=${status}`, service.administrator())).body.proposals;
const published = async () =>
  (await service.messages()).filter(({ type }) => type === 'settings.changed.v1').map(({ data }) => data);
const credits = (limit: object) => ({ creditApprovalLimit: { ...SETTINGS.creditApprovalLimit, ...limit } });
const withdrawals = (limit: object) => ({
  withdrawalApprovalLimit: { ...SETTINGS.withdrawalApprovalLimit, ...limit },
});

describe('a limit that is raised', () => {
  test.each([
    ['withdrawal', 'KES', withdrawals({ KES: '100001' })],
    ['withdrawal', 'TZS', withdrawals({ TZS: '2000001' })],
    ['credit', 'KES', credits({ KES: '10000001' })],
    ['credit', 'TZS', credits({ TZS: '200000001' })],
    ['credit', 'USD', credits({ USD: '75001' })],
  ])('of %s in %s waits for another administrator', async (kind, currency, change) => {
    const { body } = await save(change);
    expect(body.proposal).toMatchObject({ status: 'awaiting_approval', limits: [{ kind, currency }] });
    expect(await inForce()).toEqual(SETTINGS);
  });

  test('waits while the rest is saved at once and a lowered limit takes effect', async () => {
    const maker = service.administrator();
    const { body } = await save({ ...credits({ KES: '20000000', TZS: '5' }), systemName: 'Vuka Two' }, maker);
    const saved = { ...SETTINGS, systemName: 'Vuka Two', ...credits({ TZS: '5' }) };
    const { proposal, ...settings } = body;
    expect(settings).toEqual(saved);
    expect(proposal).toMatchObject({
      requestedBy: { adminId: maker.adminId, name: maker.name },
      isOwn: true,
      limits: [{ kind: 'credit', currency: 'KES', from: '10000000', to: '20000000' }],
    });
    expect(await inForce()).toEqual(saved);
    expect((await published()).at(-1)).toEqual(saved);
    expect((await service.actions()).map(({ action }) => action)).toEqual([
      'settings.system-changed',
      'settings.limits-proposed',
    ]);
  });

  test('is in force and published once another administrator approves it', async () => {
    const maker = service.administrator();
    const { id } = (await save({ ...credits({ KES: '20000000' }), ...withdrawals({ TZS: '3000000' }) }, maker)).body
      .proposal;
    const checker = service.administrator();
    expect((await decide(id, approve, checker)).body.proposal).toMatchObject({
      status: 'approved',
      decidedBy: { adminId: checker.adminId, name: checker.name },
    });
    const raised = { ...SETTINGS, ...credits({ KES: '20000000' }), ...withdrawals({ TZS: '3000000' }) };
    expect(await inForce()).toEqual(raised);
    expect((await published()).at(-1)).toEqual(raised);
    expect((await service.actions()).at(-1)).toMatchObject({
      action: 'settings.limits-approved',
      actor: { adminId: checker.adminId },
      before: { creditApprovalLimit: { KES: '10000000' } },
      after: { creditApprovalLimit: { KES: '20000000' }, proposedBy: maker.adminId },
    });
    const events = (await published()).length;
    expect((await decide(id, approve, checker)).status).toBe(200);
    expect(await published()).toHaveLength(events);
  });

  test('that is refused is unchanged, and its proposal keeps the reason', async () => {
    const { id } = (await save(credits({ KES: '20000000' }))).body.proposal;
    expect((await decide(id, refuse)).body.proposal).toMatchObject({ refusalReason: refuse.reason });
    expect(await inForce()).toEqual(SETTINGS);
    expect((await service.actions()).at(-1)).toMatchObject({
      action: 'settings.limits-refused',
      reason: refuse.reason,
    });
  });

  test('cannot be approved by its proposer', async () => {
    const maker = service.administrator();
    const { id } = (await save(credits({ KES: '20000000' }), maker)).body.proposal;
    expect((await decide(id, approve, maker)).body.error).toBe(
      'You proposed this change. Another administrator must decide.',
    );
    expect(await inForce()).toEqual(SETTINGS);
  });

  test('is not approved once its proposer is blocked', async () => {
    const proposer = service.administrator();
    const { proposal } = (await save(credits({ KES: '20000000' }), proposer)).body;
    service.rolesNow.set(proposer.userId, null);
    expect((await decide(proposal.id, approve)).body.reason).toBe('requester_lost_right');
    expect((await inForce()).creditApprovalLimit.KES).toBe('10000000');
    expect((await decide(proposal.id, refuse)).body.proposal.status).toBe('refused');
  });

  test('is decided on once by ten concurrent administrators', async () => {
    const { id } = (await save(credits({ KES: '20000000' }))).body.proposal;
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => decide(id, n % 2 ? approve : refuse)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'already_decided')).toHaveLength(9);
    const isApproved = answers.find(({ status }) => status === 200)?.body.proposal.status === 'approved';
    expect((await inForce()).creditApprovalLimit.KES).toBe(isApproved ? '20000000' : '10000000');
  });

  test('is superseded by a newer proposal and by a limit that is lowered, but not by other settings', async () => {
    const maker = service.administrator();
    const first = (await save(credits({ KES: '20000000' }), maker)).body.proposal.id;
    expect((await save(credits({ KES: '20000000.00' }), maker)).body.proposal.id).toBe(first);
    await save({ systemName: 'Other' });
    expect((await list()).map((item: { id: string }) => item.id)).toEqual([first]);
    const second = (await save(credits({ KES: '30000000' }))).body.proposal.id;
    expect((await decide(first, approve)).body.error).toBe('This proposal was replaced by a newer change.');
    await save(credits({ KES: '5000000' }));
    expect((await decide(second, approve)).body.code).toBe('already_decided');
    expect((await inForce()).creditApprovalLimit.KES).toBe('5000000');
  });

  test('expires after 24 hours', async () => {
    const { id } = (await save(credits({ KES: '20000000' }))).body.proposal;
    service.clock.advance(DAY_MS);
    expect(await list()).toEqual([]);
    expect(await list('expired')).toMatchObject([{ id }]);
    expect((await decide(id, approve)).body.error).toBe('This proposal has expired.');
    expect(await inForce()).toEqual(SETTINGS);
  });
});

test('a request without the USD limit, or without limits, leaves them unchanged', async () => {
  const { USD: _, ...creditApprovalLimit } = SETTINGS.creditApprovalLimit;
  expect((await save({ creditApprovalLimit })).body).toEqual(SETTINGS);
  expect((await save({ creditApprovalLimit: undefined, withdrawalApprovalLimit: undefined })).body).toEqual(SETTINGS);
  expect(await list()).toEqual([]);
});

test('the only administrator raises a limit with the PIN in the call, which the audit trail marks', async () => {
  const lone = { ...service.administrator(), isOnlyAdmin: true };
  const change = { ...credits({ KES: '20000000', TZS: '5' }), systemName: 'Mine' };
  expect((await save(change, { ...lone, pinVerified: false })).body.code).toBe('pin_required');
  expect(await inForce()).toEqual(SETTINGS);
  const raised = { ...SETTINGS, ...change };
  expect((await save(change, lone)).body).toEqual(raised);
  expect((await published()).at(-1)).toEqual(raised);
  expect((await service.actions()).at(-1)).toMatchObject({ action: 'settings.limits-raised-alone' });
  await save({ ...change, systemName: 'Ours' }, { ...lone, pinVerified: false });
  expect((await service.actions()).at(-1)).toMatchObject({ action: 'settings.system-changed' });
});

test('limits are proposed with a recent PIN, and read and decided on by administrators only, with the PIN', async () => {
  const { id } = (await save(credits({ KES: '20000000' }))).body.proposal;
  const checker = service.administrator();
  const merchant = { ...checker, isAdmin: false };
  const stale = { ...checker, pinVerified: false, pinRecent: false };
  expect((await save(credits({ KES: '20000001' }), stale)).body.code).toBe('step_up_required');
  expect((await decide(id, approve, merchant)).status).toBe(403);
  expect((await decide(id, approve, { ...checker, pinVerified: false })).body.code).toBe('invalid_pin');
  expect((await service.send('GET', '/internal/limit-proposals', merchant)).status).toBe(403);
  expect((await service.send('GET', '/internal/limit-proposals', null)).status).toBe(401);
  expect((await decide(randomUUID(), approve)).status).toBe(404);
  expect(await inForce()).toEqual(SETTINGS);
});

test('settings that are saved after the clock was set back are later than the ones before, for the services that follow', async () => {
  for (const systemName of ['First', 'Second', 'Third']) {
    await save({ systemName });
    service.clock.advance(-3_600_000);
  }
  const messages = (await service.messages()).filter(({ type }) => type === 'settings.changed.v1');
  const times = messages.map(({ time }) => Date.parse(time));
  expect(times).toHaveLength(3);
  expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
  service.clock.advance(3 * 3_600_000);
});

test('settings replace only those that were shown, unless those wanted are in force already', async () => {
  const shown = await inForce();
  expect((await save({ systemName: 'Vuka Two' })).status).toBe(200);
  const { status, body } = await save({ maxPinAttempts: 7, replaces: shown });
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'changed_meanwhile' });
  expect(await inForce()).toEqual({ ...shown, systemName: 'Vuka Two' });
  expect((await save({ systemName: 'Vuka Two', replaces: shown })).status).toBe(200);
  expect((await save({ maxPinAttempts: 7, systemName: 'Vuka Two', replaces: await inForce() })).status).toBe(200);
});

describe('a save that raises one limit, lowers another and changes the name, repeated because its answer was lost', () => {
  const change = { ...credits({ KES: '20000000.00', TZS: '5' }), systemName: 'Vuka Two', replaces: SETTINGS };

  test('is answered with the same proposal, however often', async () => {
    const maker = service.administrator();
    const { body } = await save(change, maker);
    expect(body.proposal.status).toBe('awaiting_approval');
    for (let repeat = 1; repeat <= 2; repeat++) expect(await save(change, maker)).toMatchObject({ status: 200, body });
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([body.proposal.id]);
    expect((await decide(body.proposal.id, approve)).status).toBe(200);
    const raised = { ...SETTINGS, systemName: 'Vuka Two', ...credits({ KES: '20000000', TZS: '5' }) };
    expect((await save(change, maker)).body).toEqual(raised);
  });

  test.each([
    ['the name', { systemName: 'Vuka Three' }],
    ['the limit that waits', credits({ KES: '9000000', TZS: '5' })],
    ['another limit', { ...credits({ TZS: '5' }), ...withdrawals({ KES: '90000' }) }],
  ])('is refused once another administrator has changed %s', async (_what, other) => {
    const maker = service.administrator();
    expect((await save(change, maker)).status).toBe(200);
    const changed = { ...SETTINGS, systemName: 'Vuka Two', ...credits({ TZS: '5' }), ...other };
    expect((await save(changed)).status).toBe(200);
    const proposals = await list();
    expect((await save(change, maker)).body.code).toBe('changed_meanwhile');
    expect(await inForce()).toEqual(changed);
    expect(await list()).toEqual(proposals);
  });
});

test('notification settings replace only those that were shown', async () => {
  const path = '/internal/settings/notification';
  const { body: shown } = await service.send('GET', path, service.administrator());
  const save = (changes: object) => service.send('POST', path, service.administrator(), { ...shown, ...changes });
  expect((await save({ loginAlerts: !shown.loginAlerts })).status).toBe(200);
  expect((await save({ smsNotifications: !shown.smsNotifications, replaces: shown })).body.code).toBe(
    'changed_meanwhile',
  );
  expect((await service.send('GET', path, service.administrator())).body).toEqual({
    ...shown,
    loginAlerts: !shown.loginAlerts,
  });
});
