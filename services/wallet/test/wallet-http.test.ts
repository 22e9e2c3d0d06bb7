import { randomUUID } from 'node:crypto';
import { testTokens } from '@vuka/access/testing/test-tokens';
import { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import { BalancesBatchResults, CommandsBatchResults } from '@vuka/contracts/internal/wallet';
import { parseMoney } from '@vuka/money';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWalletTotals } from '#balances/list-balances.ts';
import { buildApp } from '../src/app.ts';
import { createLedgerHarness, depositFor, holdFor, type LedgerHarness, logger } from './harness.ts';

const tokens = testTokens('wallet');
/** The header of a call by this service. */
const calledBy = async (service: string) => ({ 'x-vuka-service': await testTokens(service).tokenFor('wallet') });
let ledger: LedgerHarness;
let app: HttpApp;
beforeAll(async () => {
  ledger = await createLedgerHarness('http');
  app = buildApp({ db: ledger.db, writer: ledger.writer(), auditor: ledger.auditor, logger, tokens, checks: {} });
});
afterAll(async () => {
  await app.close();
  await ledger.stop();
});

async function call(method: 'GET' | 'POST', url: string, body?: object) {
  const isGateways = url.includes('wallet-totals') || url.includes('/accounts/') || url.includes('/audit');
  const headers = await calledBy(isGateways ? 'gateway' : 'transfers');
  return app.inject({ method, url, headers, ...(body ? { body } : {}) });
}

async function run(...items: unknown[]) {
  const response = await call('POST', '/internal/commands-batch', { items });
  expect(response.statusCode).toBe(200);
  return CommandsBatchResults.parse(response.json()).results;
}

test('answers each command of a batch in order, independently of the others', async () => {
  const userId = randomUUID();
  const tooMuch = holdFor(userId, '500.00');
  const results = await run(
    depositFor(userId, '100.00'),
    { ...holdFor(userId, '1.00'), amount: 'much' },
    tooMuch,
    { kind: 'borrow' },
    { ...holdFor(userId, '1.00'), amount: '0.00' },
    holdFor(userId, '40.00'),
  );
  const mismatch = { outcome: 'rejected', reason: 'mismatch' };
  expect(results).toMatchObject([
    { outcome: 'applied' },
    mismatch,
    { outcome: 'rejected', reason: 'insufficient_funds' },
    mismatch,
    mismatch,
    { outcome: 'applied' },
  ]);
});

test('returns the balances of users in the order asked, zeros for those without accounts', async () => {
  const [rich, poor] = [randomUUID(), randomUUID()];
  await run(
    depositFor(rich, '100.00'),
    depositFor(rich, '7.50', 'TZS'),
    depositFor(rich, '1.00', 'USD'),
    holdFor(rich, '40.00'),
  );
  const response = await call('POST', '/internal/balances-batch', { items: [{ userId: poor }, { userId: rich }] });
  const zero = { posted: '0.00', held: '0.00', available: '0.00' };
  expect(BalancesBatchResults.parse(response.json()).results).toEqual([
    { userId: poor, balances: { KES: zero, TZS: zero } },
    {
      userId: rich,
      balances: {
        KES: { posted: '100.00', held: '40.00', available: '60.00' },
        TZS: { posted: '7.50', held: '0.00', available: '7.50' },
      },
    },
  ]);
});

test('the view user_balances shows what each user may spend, in units', async () => {
  const userId = randomUUID();
  await run(depositFor(userId, '100.00'), holdFor(userId, '40.25'));
  const { rows } = await ledger.pool.query('select currency, balance::text from user_balances where user_id = $1', [
    userId,
  ]);
  expect(rows.map(({ currency, balance }) => [currency, Number(balance)])).toEqual([['KES', 59.75]]);
});

test('returns the audit', async () => {
  const audit = LedgerAudit.parse((await call('GET', '/internal/audit')).json());
  expect(audit.invariants.every(({ lastHeldAt }) => lastHeldAt === audit.checkedAt)).toBe(true);
});

const badCalls: [string, 'GET' | 'POST', string, object?][] = [
  ['a batch without items', 'POST', '/internal/commands-batch', {}],
  ['an empty batch', 'POST', '/internal/commands-batch', { items: [] }],
  ['a batch of 501', 'POST', '/internal/commands-batch', { items: Array.from({ length: 501 }, () => ({})) }],
  ['balances of an invalid user', 'POST', '/internal/balances-batch', { items: [{ userId: 'amina' }] }],
];
test.each(badCalls)('refuses %s with 400', async (_name, method, url, body) => {
  const response = await call(method, url, body);
  expect([response.statusCode, response.json().code]).toEqual([400, 'validation_failed']);
});

test.each(['/internal/commands-batch', '/internal/balances-batch'])(
  'refuses %s without a service token',
  async (url) => {
    for (const headers of [{}, { 'x-vuka-service': 'service.e30.forged' }]) {
      const response = await app.inject({ method: 'POST', url, headers, body: { items: [{}] } });
      expect(response.statusCode).toBe(403);
    }
  },
);

test('reports that commands are possible while the ledger has its database, with or without the bus', async () => {
  const { hostname, port } = new URL(ledger.url);
  const proxy = await createTcpProxy({ host: hostname, port: Number(port || 5432) });
  const url = new URL(ledger.url);
  url.host = `127.0.0.1:${proxy.port}`;
  const writer = ledger.writer({ url: url.toString() });
  const busAway = { messages: () => false };
  const other = buildApp({ db: ledger.db, writer, auditor: ledger.auditor, logger, tokens, checks: busAway });
  const headers = await calledBy('transfers');
  const possible = async () => (await other.inject({ url: '/internal/commands/possible', headers })).statusCode;
  await expect.poll(possible).toBe(200);
  expect((await other.inject('/health/ready')).statusCode).toBe(503);
  proxy.cut();
  await expect.poll(possible).toBe(503);
  await other.close();
  await writer.stop();
  await proxy.close();
});

test('the totals of all wallets say what can be spent and what is reserved, at most ten seconds old', async () => {
  let nowMs = 0;
  const totals = createWalletTotals(ledger.db, () => nowMs);
  const before = await totals();
  const userId = randomUUID();
  await run(depositFor(userId, '100.00'), holdFor(userId, '40.00'), depositFor(userId, '7.00', 'TZS'));
  expect(await totals()).toEqual(before);
  nowMs = 10_000;
  const after = await totals();
  const grown = (name: 'available' | 'reserved', currency: 'KES' | 'TZS') =>
    parseMoney(after[name][currency]) - parseMoney(before[name][currency]);
  expect([grown('available', 'KES'), grown('reserved', 'KES'), grown('available', 'TZS')]).toEqual([
    6000n,
    4000n,
    700n,
  ]);
  expect((await call('GET', '/internal/wallet-totals')).json()).toEqual(after);
});
