import { randomUUID } from 'node:crypto';
import { testTokens } from '@vuka/access/testing/test-tokens';
import { ADJUSTED_ACCOUNTS } from '@vuka/contracts/http/adjustments';
import { OperatorBalances } from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../src/app.ts';
import { captureOf, createLedgerHarness, depositFor, holdFor, type LedgerHarness, logger, submit } from './harness.ts';

const tokens = testTokens('wallet');
let ledger: LedgerHarness;
let app: HttpApp;
beforeAll(async () => {
  ledger = await createLedgerHarness('adjustments');
  app = buildApp({ db: ledger.db, writer: ledger.writer(), auditor: ledger.auditor, logger, tokens, checks: {} });
});
afterAll(async () => {
  await app.close();
  await ledger.stop();
});

const order = (change: object = {}) => ({
  id: randomUUID(),
  currency: 'TZS',
  amount: '23030.50',
  ...ADJUSTED_ACCOUNTS.loss,
  ...change,
});
const adjust = async (body: object, service = 'admin') => {
  const headers = { 'x-vuka-service': await testTokens(service).tokenFor('wallet') };
  return app.inject({ method: 'POST', url: '/internal/adjustments', headers, body });
};
async function balances(): Promise<Record<string, string>> {
  const headers = { 'x-vuka-service': await testTokens('transfers').tokenFor('wallet') };
  const { accounts } = OperatorBalances.parse(
    (await app.inject({ url: '/internal/operator-accounts', headers })).json(),
  );
  return Object.fromEntries(accounts.map(({ account, currency, balance }) => [`${account}:${currency}`, balance]));
}

test('the float is what was topped up, minus payouts, fees and losses, and the books still balance', async () => {
  const userId = randomUUID();
  const hold = holdFor(userId, '60.00');
  for (const command of [depositFor(userId, '100.00'), hold, captureOf(hold)]) await submit(ledger.writer(), command);
  for (const [kind, amount] of [
    ['float_top_up', '1000.00'],
    ['provider_fee', '1.50'],
    ['loss', '20.00'],
  ] as const) {
    const { statusCode } = await adjust(order({ amount, ...ADJUSTED_ACCOUNTS[kind] }));
    expect(statusCode).toBe(201);
  }
  expect(await balances()).toMatchObject({
    // 10.00 were paid out, so that 1000.00 - 10.00 - 1.50 - 20.00 are left with the provider.
    'payout-clearing:TZS': '-968.50',
    'funding:TZS': '1000.00',
    'provider-fees:TZS': '-1.50',
    'losses:TZS': '-20.00',
  });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test('an adjustment sent many times at once is one journal', async () => {
  const same = order();
  const before = await ledger.count('journals');
  const answers = await Promise.all(Array.from({ length: 20 }, () => adjust(same)));
  expect(new Set(answers.map((answer) => answer.json().journalId)).size).toBe(1);
  expect(await ledger.count('journals')).toBe(before + 1);
});

test('an id that was used for another adjustment writes nothing', async () => {
  const first = order();
  await adjust(first);
  const before = await ledger.count('journals');
  expect((await adjust({ ...first, amount: '1.00' })).statusCode).toBe(500);
  expect(await ledger.count('journals')).toBe(before);
});

test.each([
  ['a merchant’s wallet', { to: `wallet:${randomUUID()}` }],
  ['an unknown account', { from: 'pocket' }],
  ['no amount', { amount: '0.00' }],
  ['a negative amount', { amount: '-5.00' }],
])('refuses an adjustment of %s', async (_, change) => {
  const before = await ledger.count('journals');
  expect((await adjust(order(change))).statusCode).toBe(400);
  expect(await ledger.count('journals')).toBe(before);
});

test('refuses an adjustment from an account to itself', async () => {
  const before = await ledger.count('journals');
  expect((await adjust(order({ from: 'losses', to: 'losses' }))).statusCode).toBe(500);
  expect(await ledger.count('journals')).toBe(before);
});

test.each(['gateway', 'transfers', 'rates'])('refuses an adjustment by %s', async (service) => {
  expect((await adjust(order(), service)).statusCode).toBe(403);
});
