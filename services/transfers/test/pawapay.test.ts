import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallbackResult, ProviderCall, StatusResult } from '../src/payouts/payout-provider.ts';
import { createPawapayWorld, type PawapayWorld, payoutTo, TOKEN } from './pawapay-world.ts';

let world: PawapayWorld;
beforeAll(async () => {
  world = await createPawapayWorld();
});
afterAll(() => world.close());

const record = (call: ProviderCall) => world.calls.push(call);
const submit = ({ id, body }: { id: string; body: string }) => world.provider.submit(id, body, record);
const status = (id: string) => world.provider.status(id, record);
const stateIn = (result: StatusResult) => (result.kind === 'found' ? result.report.state : result.kind);
const ALL = { isNeeded: () => true, most: 1_000 };
const isPaid = async (id: string) => (await world.ledgerOf(id)).length === 1;

async function firstCallback(id: string): Promise<CallbackResult> {
  return until(() => world.resultsFor(id)[0]);
}

test('a payout is accepted, and its signed callback is verified and reports completion', async () => {
  const payout = payoutTo(world.provider);
  expect(await submit(payout)).toEqual({ kind: 'accepted', state: 'accepted' });
  expect(await firstCallback(payout.id)).toMatchObject({
    ok: true,
    isTrusted: true,
    answer: { status: 200 },
    reports: [
      { clientPayoutId: payout.id, state: 'completed', amount: '1500', currency: 'TZS', msisdn: '255763000000' },
    ],
  });
  const found = await status(payout.id);
  expect(found).toMatchObject({ kind: 'found', report: { state: 'completed', amount: '1500' } });
  expect(found.kind === 'found' && found.report.providerReference).toBeTruthy();
  expect(await submit(payout)).toEqual({ kind: 'duplicate' });
  expect(await isPaid(payout.id)).toBe(true);
});

test.each([
  ['latency', { ms: 1_500 }, 'duplicate or accepted'],
  ['timeout_paid', {}, 'duplicate'],
  ['timeout_lost', {}, 'accepted'],
  ['http_500_paid', {}, 'duplicate'],
  ['http_500_lost', {}, 'accepted'],
  ['reset_before', {}, 'accepted'],
  ['reset_after', {}, 'duplicate'],
  ['html_503', {}, 'accepted'],
  ['http_429', {}, 'accepted'],
  ['truncated_json', {}, 'duplicate'],
] as const)('%s is ambiguous, and repeating the same request pays exactly once', async (effect, params, again) => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, effect, params);
  // The others answer by themselves, on a busy machine perhaps later than within a second.
  const isSilent = effect === 'latency' || effect.startsWith('timeout');
  const provider = isSilent ? world.build({ timeoutMs: 1_000 }) : world.provider;
  expect((await provider.submit(payout.id, payout.body, record)).kind).toBe('ambiguous');
  if (again === 'accepted') expect(await status(payout.id)).toEqual({ kind: 'not_found' });
  expect(again).toContain((await submit(payout)).kind);
  await until(async () => stateIn(await status(payout.id)) === 'completed');
  expect(await world.ledgerOf(payout.id)).toHaveLength(1);
});

test.each([
  ['closed', {}, 'provider_down'],
  ['float_exhausted', { at: 'accept' }, 'float'],
  ['http_error', { status: 401, code: 'NO_AUTHENTICATION' }, 'config'],
  ['http_error', { status: 403, code: 'PAYOUTS_NOT_ALLOWED' }, 'config'],
  ['http_error', { status: 400, code: 'INVALID_PARAMETER' }, 'validation'],
] as const)('%s %o is a rejection of class %s', async (effect, params, failureClass) => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, effect, params);
  expect(await submit(payout)).toMatchObject({
    kind: 'rejected',
    failure: { class: failureClass },
  });
  expect(await status(payout.id)).toEqual({ kind: 'not_found' });
  expect(await world.ledgerOf(payout.id)).toHaveLength(0);
});

test('a rejection with an unknown code is ambiguous', async () => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, 'reject', { code: 'LUNAR_ECLIPSE' });
  expect(await submit(payout)).toMatchObject({ kind: 'ambiguous', unknownFailure: 'LUNAR_ECLIPSE' });
});

test.each([
  ['089', 'RECIPIENT_NOT_FOUND', 'recipient'],
  ['099', 'WALLET_LIMIT_REACHED', 'limit'],
  ['119', 'UNSPECIFIED_FAILURE', 'unspecified'],
])('the sandbox number %s fails by callback, and by inquiry, with %s', async (suffix, code, failureClass) => {
  const payout = payoutTo(world.provider, `255763456${suffix}`);
  await submit(payout);
  const report = { state: 'failed', failure: { code, class: failureClass } };
  expect(await firstCallback(payout.id)).toMatchObject({ ok: true, reports: [report] });
  expect(await status(payout.id)).toMatchObject({ report });
});

test('a number that never answers stays open, without a callback', async () => {
  const payout = payoutTo(world.provider, '255763456129');
  expect((await submit(payout)).kind).toBe('accepted');
  await until(async () => stateIn(await status(payout.id)) === 'processing');
  expect(world.resultsFor(payout.id)).toEqual([]);
});

test.each([
  ['forged_signature', 'bad_signature', 401],
  ['bad_digest', 'bad_digest', 401],
  ['expired_signature', 'expired', 401],
  ['wrong_host', 'bad_signature', 401],
  ['unknown_key', 'unknown_key', 401],
  ['unsigned', 'no_signature', 401],
])('a callback with %s is refused, and the next valid one is accepted', async (effect, reason, answered) => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, effect, { attempts: 1 });
  await submit(payout);
  expect(await firstCallback(payout.id)).toMatchObject({ ok: false, reason, answer: { status: answered } });
  const second = await until(() => world.resultsFor(payout.id)[1], { timeoutMs: 20_000 });
  expect(second).toMatchObject({ ok: true, reports: [{ state: 'completed' }] });
});

test('a raw signature is verified like a DER one', async () => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, 'raw_signature');
  await submit(payout);
  expect(await firstCallback(payout.id)).toMatchObject({ ok: true });
});

test.each([
  ['wrong_amount', { amount: '9' }, { amount: '9' }],
  ['wrong_currency', {}, { currency: 'KES' }],
  ['wrong_msisdn', {}, { msisdn: '254700000000' }],
  ['amount_format', {}, { amount: '1500.0000' }],
  ['unknown_status', {}, { state: 'unknown' }],
  ['unknown_code', {}, { state: 'unknown' }],
])('%s is reported unchanged', async (effect, params, expected) => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, effect, params);
  await submit(payout);
  expect(await firstCallback(payout.id)).toMatchObject({ ok: true, reports: [expected] });
});

test('a callback about another payout names that payout', async () => {
  const payout = payoutTo(world.provider);
  const before = world.callbacks.length;
  await world.scenario(payout.id, 'wrong_id');
  await submit(payout);
  const seen = await until(() => world.callbacks.slice(before).find(({ body }) => body.includes('00000000-0000-4000')));
  expect(seen.result).toMatchObject({
    ok: true,
    reports: [{ clientPayoutId: '00000000-0000-4000-8000-000000000000' }],
  });
});

test('callbacks may precede the answer, repeat, and contradict each other', async () => {
  const [early, often, torn] = [payoutTo(world.provider), payoutTo(world.provider), payoutTo(world.provider)];
  await world.scenario(early.id, 'callback_before_response');
  await world.scenario(often.id, 'callback_duplicated', { times: 4 });
  await world.scenario(torn.id, 'completed_then_failed');
  expect((await submit(early)).kind).toBe('accepted');
  expect(world.resultsFor(early.id)).toHaveLength(1);
  await Promise.all([submit(often), submit(torn)]);
  await until(() => world.resultsFor(often.id).length === 4);
  await until(() => world.resultsFor(torn.id).length === 2);
  const states = world.resultsFor(torn.id).map((result) => result.ok && result.reports[0]?.state);
  expect(states).toEqual(['completed', 'failed']);
  for (const { id } of [early, often, torn]) expect(await world.ledgerOf(id)).toHaveLength(1);
});

test('when a callback is lost or late, an inquiry gives the same result', async () => {
  const [lost, late] = [payoutTo(world.provider), payoutTo(world.provider)];
  await world.scenario(lost.id, 'callback_lost');
  await world.scenario(late.id, 'callback_late', { ms: 700 });
  await Promise.all([submit(lost), submit(late)]);
  await until(async () => stateIn(await status(lost.id)) === 'completed');
  await until(() => world.resultsFor(late.id).length === 1);
  expect(world.resultsFor(lost.id)).toEqual([]);
});

test.each([
  ['not_found_first', 'not_found'],
  ['status_down', 'ambiguous'],
  ['unknown_status', 'unknown'],
])('an inquiry that meets %s results in %s, and the next one in the right state', async (effect, first) => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, effect, {});
  await submit(payout);
  await until(async () => isPaid(payout.id));
  expect(stateIn(await status(payout.id))).toBe(first);
  expect(stateIn(await status(payout.id))).toBe('completed');
});

test('intermediate states are reported unchanged', async () => {
  const [enqueued, reconciling, failing] = [
    payoutTo(world.provider),
    payoutTo(world.provider),
    payoutTo(world.provider),
  ];
  await world.scenario(enqueued.id, 'enqueued', { ms: 1_500 });
  await world.scenario(reconciling.id, 'in_reconciliation', { ms: 1_500 });
  await world.scenario(failing.id, 'in_reconciliation', { ms: 500, ends: 'FAILED' });
  await Promise.all([submit(enqueued), submit(reconciling), submit(failing)]);
  await until(async () => stateIn(await status(enqueued.id)) === 'enqueued');
  await until(async () => stateIn(await status(reconciling.id)) === 'reconciling');
  for (const { id } of [enqueued, reconciling]) await until(async () => stateIn(await status(id)) === 'completed');
  await until(async () => stateIn(await status(failing.id)) === 'failed');
  expect(await world.ledgerOf(failing.id)).toHaveLength(0);
});

test('a simulator killed between acceptance and payment pays once after its restart', async () => {
  const payout = payoutTo(world.provider);
  await world.scenario(payout.id, 'settle_late', { ms: 800 });
  expect((await submit(payout)).kind).toBe('accepted');
  await world.kill();
  expect((await status(payout.id)).kind).toBe('ambiguous');
  expect((await submit(payout)).kind).toBe('not_sent');
  await world.start();
  expect((await submit(payout)).kind).toBe('duplicate');
  expect(await firstCallback(payout.id)).toMatchObject({ ok: true, reports: [{ state: 'completed' }] });
  expect(await world.ledgerOf(payout.id)).toHaveLength(1);
});

test('an unreachable provider and a refused token give different results', async () => {
  const unreachable = world.build({ baseUrl: 'http://127.0.0.1:1' });
  const payout = payoutTo(unreachable);
  expect((await unreachable.submit(payout.id, payout.body, record)).kind).toBe('not_sent');
  expect((await unreachable.status(payout.id, record)).kind).toBe('ambiguous');
  const stranger = world.build({ token: 'another' });
  expect(await stranger.submit(payout.id, payout.body, record)).toMatchObject({
    kind: 'rejected',
    failure: { code: 'AUTHENTICATION_ERROR', class: 'config' },
  });
});

test('a callback gets 503 while the keys are unavailable, and is verified afterwards', async () => {
  const payout = payoutTo(world.provider);
  await submit(payout);
  await firstCallback(payout.id);
  const seen = world.callbacks.find(({ body }) => body.includes(payout.id));
  if (!seen) throw new Error('no callback');
  const cutOff = world.build({ baseUrl: 'http://127.0.0.1:1' });
  expect(await cutOff.readCallback(seen.request, record)).toMatchObject({
    ok: false,
    reason: 'keys_unavailable',
    answer: { status: 503 },
  });
  expect(await world.build().readCallback(seen.request, record)).toMatchObject({ ok: true });
  const elsewhere = world.build({ callbackAuthority: 'elsewhere.example' });
  expect(await elsewhere.readCallback(seen.request, record)).toMatchObject({ ok: false, reason: 'bad_signature' });
});

test('an unsigned callback passes only if allowed and readable', async () => {
  const rawBody = Buffer.from(JSON.stringify({ payoutId: payoutTo(world.provider).id, status: 'COMPLETED' }));
  const unsigned = { method: 'POST', path: '/api/callbacks/pawapay', headers: { host: 'vuka.example' }, rawBody };
  const lenient = world.build({ signedCallbacks: false });
  expect(await lenient.readCallback(unsigned, record)).toMatchObject({ ok: true, isTrusted: false });
  for (const broken of ['{', '[]', '{"payoutId":"1","status":"COMPLETED"}', '{"status":"COMPLETED"}']) {
    expect(await lenient.readCallback({ ...unsigned, rawBody: Buffer.from(broken) }, record)).toMatchObject({
      ok: false,
      reason: 'malformed_body',
      answer: { status: 400 },
    });
  }
  expect(await world.provider.readCallback(unsigned, record)).toMatchObject({ ok: false, reason: 'no_signature' });
});

test('a valid signature proves nothing where the host that it covers is not known', async () => {
  const payout = payoutTo(world.provider);
  await world.provider.submit(payout.id, payout.body, record);
  const seen = await until(() => world.callbacks.find(({ body }) => body.includes(payout.id)));
  expect(seen.result).toMatchObject({ ok: true, isTrusted: true });
  const lenient = { signedCallbacks: false, callbackAuthority: undefined };
  expect(await world.build(lenient).readCallback(seen.request, record)).toMatchObject({ ok: true, isTrusted: false });
});

test('no record contains the token or personal data', async () => {
  const remittances = world.build({ product: 'remittance' });
  const payout = payoutTo(remittances);
  const body = remittances.prepare({
    clientPayoutId: payout.id,
    amount: '1500.00',
    currency: 'TZS',
    msisdn: '255763000000',
    transferId: payout.id,
    remittance: {
      recipient: { firstName: 'Secretfirst', lastName: 'Secretlast' },
      sender: {
        firstName: 'Secretfirst',
        lastName: 'Secretlast',
        nationality: 'KEN',
        phoneNumber: '254712345678',
        address: { country: 'KEN', addressLine: 'Secretstreet' },
        identification: { type: 'PASSPORT', number: 'SECRET123' },
      },
      transaction: { purposeOfFunds: 'FAMILY_SUPPORT', sourceOfFunds: 'SALARY' },
    },
  });
  expect((await remittances.submit(payout.id, body, record)).kind).toBe('accepted');
  await until(() => world.resultsFor(payout.id).length === 1);
  expect((await remittances.status(payout.id, record)).kind).toBe('found');
  const recorded = JSON.stringify(world.calls);
  expect(recorded).toContain(payout.id);
  for (const secret of [TOKEN, 'Secretfirst', 'Secretlast', 'Secretstreet', 'SECRET123']) {
    expect(recorded).not.toContain(secret);
  }
});

test('a statement lists paid payouts with their figures, and no failed ones', async () => {
  const [paid, failed] = [payoutTo(world.provider), payoutTo(world.provider, '255763456119')];
  await submit(paid);
  await submit(failed);
  await until(async () => stateIn(await status(paid.id)) === 'completed');
  await until(async () => stateIn(await status(failed.id)) === 'failed');
  const hourMs = 60 * 60_000;
  const period = { from: new Date(Date.now() - hourMs), to: new Date(Date.now() + hourMs) };
  const before = world.calls.length;
  const statement = await world.provider.statement(period, ALL, record);
  const lines = statement.kind === 'lines' ? statement.lines : [];
  expect(lines.filter((line) => line.clientPayoutId === paid.id)).toEqual([
    {
      clientPayoutId: paid.id,
      amountMinor: 1_500_00n,
      currency: 'TZS',
      msisdn: '255763000000',
      recordedAt: expect.any(Date),
    },
  ]);
  expect(lines.some((line) => line.clientPayoutId === failed.id)).toBe(false);
  const recorded = world.calls.slice(before);
  // A callback may arrive meanwhile.
  const asked = recorded.map(({ operation }) => operation).filter((operation) => operation.startsWith('statement.'));
  expect(asked).toEqual(['statement.initiate', 'statement.status', 'statement.initiate', 'statement.status']);
  // Anyone with the URL can read the statement.
  expect(JSON.stringify(recorded)).not.toContain('.csv');
});

test('a statement for too long a period, or from an unreachable provider, is unavailable, never empty', async () => {
  const dayMs = 24 * 60 * 60_000;
  const tooLong = { from: new Date(Date.now() - 32 * dayMs), to: new Date() };
  expect(await world.provider.statement(tooLong, ALL, record)).toMatchObject({ kind: 'unavailable' });
  const unreachable = world.build({ baseUrl: 'http://127.0.0.1:9' });
  const period = { from: new Date(Date.now() - dayMs), to: new Date() };
  expect(await unreachable.statement(period, ALL, record)).toMatchObject({ kind: 'unavailable' });
});
