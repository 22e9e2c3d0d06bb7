import { expect, test } from 'vitest';
import { checkDecisions } from './check-decisions.ts';
import type { BankPayment, Decision, Order } from './history.ts';

const limits = { KES: 1_000n, TZS: 20_000n };
const order = (change: Partial<Order>) =>
  ({ clientTransactionId: 'CLIENT-w', payee: 'own phone', source: 'KES', sourceAmount: 1_001n, ...change }) as Order;
const row = (status: string, requiresApproval = true) => ({
  id: 'w',
  clientTransactionId: 'CLIENT-w',
  status,
  shown: status === 'SETTLED' ? 'completed' : 'failed',
  requiresApproval,
});
const decision = (kind: Decision['kind'], change: Partial<Decision> = {}): Decision => ({
  withdrawalId: 'w',
  kind,
  by: 'admin',
  fromMs: 10,
  status: 200,
  ...change,
});
const asked = (atMs: number) => ({
  id: 'p',
  transferId: 'w',
  msisdn: '',
  amount: '',
  currency: '',
  atMs,
  isRefused: false,
});

test('a withdrawal at the limit is paid without approval, and one above it only after it', () => {
  const atLimit = {
    orders: [order({ sourceAmount: 1_000n })],
    decisions: [],
    bankPayments: [],
    limits,
    asked: [asked(5)],
  };
  expect(checkDecisions([row('SETTLED', false)], atLimit)).toEqual([]);
  expect(checkDecisions([row('SETTLED')], atLimit)).toEqual(['w: SETTLED, but it waited for approval']);
  const above = { orders: [order({})], decisions: [decision('approve')], bankPayments: [], limits, asked: [asked(11)] };
  expect(checkDecisions([row('SETTLED')], above)).toEqual([]);
  expect(checkDecisions([row('SETTLED')], { ...above, decisions: [] })).toEqual(['w: SETTLED, but nobody approved it']);
  expect(checkDecisions([row('SETTLED')], { ...above, asked: [asked(9)] })).toEqual([
    'w: SETTLED, but the provider was asked before it was approved',
  ]);
});

test('a withdrawal that is shown as something else than it is is found', () => {
  const facts = {
    orders: [order({ sourceAmount: 1_000n })],
    decisions: [],
    bankPayments: [],
    limits,
    asked: [asked(5)],
  };
  expect(checkDecisions([{ ...row('SETTLED', false), shown: 'payment_submitted' }], facts)).toEqual([
    'w: SETTLED, but its withdrawal is payment_submitted',
  ]);
});

test('an approval whose answer was lost may have counted, and one that came too late did not', () => {
  const facts = (status: number | undefined) => ({
    orders: [order({})],
    decisions: [decision('approve', { status })],
    bankPayments: [],
    limits,
    asked: [asked(11)],
  });
  expect(checkDecisions([row('SETTLED')], facts(undefined))).toEqual([]);
  expect(checkDecisions([row('SETTLED')], facts(409))).toEqual(['w: SETTLED, but nobody approved it']);
});

test('a withdrawal that the provider was asked to pay without an approval is found although it was not paid', () => {
  const facts = { orders: [order({})], decisions: [], bankPayments: [], limits, asked: [asked(11)] };
  expect(checkDecisions([row('FAILED')], facts)).toEqual([
    'w: FAILED, but the provider was asked before it was approved',
  ]);
  expect(checkDecisions([row('FAILED')], { ...facts, decisions: [decision('approve')] })).toEqual([]);
  expect(checkDecisions([row('FAILED')], { ...facts, asked: [] })).toEqual([]);
  const atLimit = { ...facts, orders: [order({ sourceAmount: 1_000n })] };
  expect(checkDecisions([row('FAILED', false)], atLimit)).toEqual([]);
});

test('a refused withdrawal that was paid is found, and one that two administrators decided', () => {
  const refused = { orders: [order({})], decisions: [decision('refuse')], bankPayments: [], limits, asked: [] };
  expect(checkDecisions([row('FAILED')], refused)).toEqual([]);
  expect(checkDecisions([row('SETTLED')], refused)).toEqual([
    'w: SETTLED, but nobody approved it',
    'w: SETTLED, but it was refused',
  ]);
  const both = [decision('refuse'), decision('refuse', { by: 'approver' })];
  expect(checkDecisions([row('FAILED')], { ...refused, decisions: both })).toEqual([
    'w: FAILED, but both administrators decided it',
  ]);
});

test('a withdrawal to a bank is paid by hand, and never by the provider', () => {
  const decisions = [decision('approve'), decision('complete')];
  const facts = {
    orders: [order({ payee: 'bank', sourceAmount: 10n })],
    decisions,
    bankPayments: [],
    limits,
    asked: [],
  };
  expect(checkDecisions([row('SETTLED')], facts)).toEqual([]);
  expect(checkDecisions([row('SETTLED')], { ...facts, asked: [asked(11)] })).toEqual([
    'w: SETTLED, but the provider was asked to pay it, besides the bank',
  ]);
  expect(checkDecisions([row('FAILED')], facts)).toEqual(['w: FAILED, but it was paid by hand']);
});

const payment: BankPayment = {
  withdrawalId: 'w',
  reference: 'BANK-REF-1',
  amount: 10n,
  currency: 'KES',
  account: '001100',
  by: 'admin',
  atMs: 11,
};

test.each([
  ['amount', { amount: 11n }],
  ['currency', { currency: 'TZS' }],
  ['account', { account: '001101' }],
])('a payment at the bank of another %s than the ordered one is found', (_, change) => {
  const orders = [order({ payee: 'bank', sourceAmount: 10n, bankAccount: '001100' })];
  const facts = { orders, decisions: [decision('approve'), decision('complete')], limits, asked: [] };
  expect(checkDecisions([row('SETTLED')], { ...facts, bankPayments: [{ ...payment, ...change }] })).toEqual([
    'w: SETTLED, but the bank paid something else than was ordered',
  ]);
});

test('a withdrawal that the bank paid twice is found, or whose money was returned although the bank had paid it', () => {
  const orders = [order({ payee: 'bank', sourceAmount: 10n, bankAccount: '001100' })];
  const settled = { orders, decisions: [decision('approve'), decision('complete')], limits, asked: [] };
  expect(checkDecisions([row('SETTLED')], { ...settled, bankPayments: [payment] })).toEqual([]);
  expect(checkDecisions([row('SETTLED')], { ...settled, bankPayments: [payment, payment] })).toEqual([
    'w: SETTLED, but the bank paid it 2 times',
  ]);
  const failed = { orders, decisions: [decision('approve'), decision('fail')], limits, asked: [] };
  expect(checkDecisions([row('FAILED')], { ...failed, bankPayments: [] })).toEqual([]);
  expect(checkDecisions([row('FAILED')], { ...failed, bankPayments: [payment] })).toEqual([
    'w: FAILED, but the bank paid it',
  ]);
});
