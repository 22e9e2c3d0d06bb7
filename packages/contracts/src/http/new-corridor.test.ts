import { expect, test, vi } from 'vitest';
import { findRefusal } from '../texts/catalogue.ts';
import { readReason } from '../texts/reason.ts';
import { fill } from '../texts/text.ts';
import { Balances } from './balances.ts';
import { DepositCurrency, Direction, WalletCurrency } from './common.ts';
import { NewFee } from './fees.ts';
import { NewLinkedAccount } from './linked-accounts.ts';
import { CreateTransfer } from './orders.ts';
import { QuoteRequest } from './quotes.ts';
import { RegisterForm } from './users.ts';

vi.mock('@vuka/money/corridors', async (original) => {
  const { withUganda } = await import('@vuka/money/testing/uganda');
  return withUganda(await original());
});
vi.mock('@vuka/money/mobile-networks', async (original) => {
  const { withUgandanNetworks } = await import('@vuka/money/testing/uganda');
  return withUgandanNetworks(await original());
});

/** In English, as the API answers. */
const messages = (parsed: { error?: { issues: { message: string }[] } | undefined }) =>
  parsed.error?.issues.map(({ message }) => {
    const given = readReason(message);
    return fill(findRefusal(given?.reason ?? '')?.text ?? message, given?.params);
  });

const order = {
  direction: 'KES_TO_UGX',
  sourceAmount: '1000.50',
  sourceCurrency: 'KES',
  targetAmount: '28000',
  targetCurrency: 'UGX',
  recipientPhone: '+256772345678',
  pin: '1357',
  clientTransactionId: 'CLIENT-1',
};

test('schemas accept a currency, a direction and numbers that were added to the table', () => {
  expect(WalletCurrency.safeParse('UGX').success).toBe(true);
  expect(Direction.safeParse('UGX_TO_KES').success).toBe(true);
  expect(CreateTransfer.safeParse(order).success).toBe(true);
  expect(CreateTransfer.safeParse({ ...order, targetAmount: '28000.00' }).success).toBe(true);
  expect(QuoteRequest.safeParse({ direction: 'UGX_TO_KES', sourceAmount: '28000' }).success).toBe(true);
  const balances = { KES: '1.00', TZS: '2.00', UGX: '3.00' };
  expect(Balances.safeParse({ defaultCurrency: 'UGX', balances }).success).toBe(true);
  expect(Balances.safeParse({ defaultCurrency: 'KES', balances: { KES: '1.00', TZS: '2.00' } }).success).toBe(false);
});

test('schemas refuse decimals in a currency that has none', () => {
  const whole = ['Amount must be a whole number'];
  expect(messages(QuoteRequest.safeParse({ direction: 'UGX_TO_KES', sourceAmount: '12.50' }))).toEqual(whole);
  expect(messages(CreateTransfer.safeParse({ ...order, targetAmount: '12.50' }))).toEqual(whole);
  expect(QuoteRequest.safeParse({ direction: 'KES_TO_UGX', sourceAmount: '12.50' }).success).toBe(true);
  const fee = { transactionType: 'transfer', currency: 'UGX', minAmount: '0', fixedFee: '0.50', percentageFee: '1.5' };
  expect(messages(NewFee.safeParse(fee))).toEqual(whole);
  expect(NewFee.safeParse({ ...fee, currency: 'KES' }).success).toBe(true);
});

test('messages list what the table has', () => {
  expect(messages(WalletCurrency.safeParse('XXX'))).toEqual(['Currency must be KES, TZS or UGX']);
  expect(messages(DepositCurrency.safeParse('XXX'))).toEqual(['Currency must be KES, TZS, USD or UGX']);
  expect(messages(Direction.safeParse('XXX'))).toEqual([
    'Direction must be KES_TO_TZS, TZS_TO_KES, KES_TO_UGX or UGX_TO_KES',
  ]);
});

test('phones are linked at the networks of their country', () => {
  const account = { accountType: 'mobile_money', accountName: 'Okello', phoneNumber: '+256772345678', pin: '1357' };
  expect(NewLinkedAccount.safeParse({ ...account, carrier: 'MTN' }).success).toBe(true);
  expect(messages(NewLinkedAccount.safeParse({ ...account, carrier: 'M-PESA' }))).toEqual([
    'This carrier does not serve the country of this number',
  ]);
});

test('the registration proposes what it did before', () => {
  const form = { name: 'Okello', email: 'okello@example.com', phoneNumber: '+256772345678', pin: '1357' };
  expect(RegisterForm.parse(form)).toMatchObject({ country: 'Tanzania', defaultCurrency: 'TZS' });
});
