import { describe, expect, test } from 'vitest';
import { fixedId, receiptOf, timelineOf, transaction } from '#test/fixtures.ts';
import { heldStage, timelineSteps } from './timeline-view.ts';
import {
  amountSign,
  directionText,
  inverseRateText,
  receiptDirectionText,
  receiptRateText,
  receiptText,
  recipientText,
  signColour,
  signedAmount,
} from './transaction-view.ts';

const base = {
  sourceCurrency: 'KES',
  targetCurrency: 'TZS',
  direction: 'KES_TO_TZS',
  recipientPhone: null,
  metadata: null,
} as const;

describe('the sign of an amount', () => {
  test.each([
    ['admin credit', { ...base, metadata: { isAdminCredit: true, transactionType: 'DEBIT' } }, '+', 'green'],
    ['CREDIT', { ...base, metadata: { transactionType: 'CREDIT' } }, '+', 'green'],
    ['DEBIT', { ...base, direction: 'TZS_TO_KES', metadata: { transactionType: 'DEBIT' } }, '-', 'red'],
    [
      'one currency from an admin',
      { ...base, targetCurrency: 'KES', direction: null, recipientPhone: 'ADMIN' },
      '+',
      'green',
    ],
    ['one currency otherwise', { ...base, targetCurrency: 'KES', direction: null }, '', 'plain'],
    ['a direction from the source currency', base, '-', 'red'],
    ['another direction', { ...base, direction: 'TZS_TO_KES' }, '+', 'green'],
  ] as const)('%s gives %j as %j, %s', (_, item, sign, colour) => {
    expect(amountSign(item)).toBe(sign);
    expect(signColour(sign)).toBe(colour);
  });

  test('shows the amount that left the wallet, or the amount that reached it', () => {
    expect(signedAmount(transaction(1))).toBe('-25,000 KES');
    expect(signedAmount(transaction(1, { metadata: { transactionType: 'CREDIT' } }))).toBe('+575,750 TZS');
  });
});

test.each([
  ['KES_TO_TZS', 'KES', 'TZS', 'KES → TZS'],
  ['TZS_TO_KES', 'TZS', 'KES', 'TZS → KES'],
  [null, 'KES', 'KES', 'KES → KES'],
  ['OTHER', 'USD', 'KES', 'USD → KES'],
])('direction %s reads %s to %s', (direction, source, target, text) => {
  expect(directionText(direction, source, target)).toBe(text);
});

describe('the rate of a receipt', () => {
  const rate = {
    source_amount: '25000.00',
    target_amount: '575750.00',
    source_currency: 'KES',
    target_currency: 'TZS',
    exchange_rate: '23.03',
  } as const;

  test('has two decimals', () => {
    expect(receiptRateText(rate)).toBe('1 KES = 23.03 TZS');
    expect(inverseRateText(rate)).toBeUndefined();
  });

  test('is computed from the amounts where it is not given', () => {
    expect(receiptRateText({ ...rate, exchange_rate: null })).toBe('1 KES = 23.03 TZS');
  });

  test('adds the inverse where two decimals are not precise enough', () => {
    const small = { ...rate, source_currency: 'TZS', target_currency: 'KES', exchange_rate: '0.0498' } as const;
    expect(receiptRateText(small)).toBe('1 TZS = 0.05 KES');
    expect(inverseRateText(small)).toBe('1 KES = 20.080 TZS');
  });

  test.each([{ source_amount: '0.00' }, { target_amount: '0.00' }, { exchange_rate: 'none' }])(
    'is unavailable with %j',
    (changes) => {
      expect(receiptRateText({ ...rate, ...changes })).toBe('Rate calculation unavailable');
    },
  );
});

describe('the receipt of a withdrawal', () => {
  const { transaction: receipt } = receiptOf(transaction(1, { targetCurrency: 'KES', direction: null }));
  const withdrawal = (metadata: Partial<typeof receipt.metadata>) => ({
    ...receipt,
    type: 'withdrawal' as const,
    metadata,
  });

  test('names its single currency, and the bank account masked except for its last digits', () => {
    const toBank = withdrawal({
      recipientPhone: null,
      recipientName: 'Equity Bank, Amina',
      recipientAccount: '•••• 6789',
    });
    expect(receiptDirectionText(toBank)).toBe('KES');
    expect(recipientText(toBank)).toBe('Equity Bank, Amina, •••• 6789');
  });

  test("names the recipient's phone, and no one if the recipient is unknown", () => {
    expect(recipientText(withdrawal({ recipientPhone: '+254712345678' }))).toBe('+254 712 345 678');
    expect(recipientText(withdrawal({}))).toBe('Pending...');
  });

  test('differs from that of a credit, which names both currencies', () => {
    expect(receiptDirectionText({ ...receipt, type: 'deposit' })).toBe('KES → KES');
  });
});

test('the shared text of a receipt has id, amounts, status and date', () => {
  const text = receiptText(receiptOf(transaction(1)).transaction);
  for (const part of [fixedId(1001), '25,000 KES', '575,750 TZS', 'SETTLED', 'Jan 11, 2026'])
    expect(text).toContain(part);
});

describe('the timeline', () => {
  const steps = (status: 'PENDING' | 'PROCESSING' | 'SETTLED' | 'FAILED') =>
    timelineSteps(timelineOf(transaction(1, { status })).timeline).map(({ name, state }) => `${name}: ${state}`);

  test.each([
    ['PENDING', ['received: current', 'sending: upcoming', 'delivered: upcoming']],
    ['PROCESSING', ['received: done', 'sending: current', 'delivered: upcoming']],
    ['SETTLED', ['received: done', 'sending: done', 'delivered: done']],
    ['FAILED', ['received: done', 'sending: done', 'failed: failed']],
  ] as const)('of a %s transfer', (status, expected) => {
    expect(steps(status)).toEqual(expected);
  });

  test('shows a transfer that waits for its provider as waiting, and repeats of a status as one step', () => {
    const row = (status: string, second: number, notes: string | null = null) => ({
      status,
      notes,
      timestamp: `2026-01-01T00:00:0${second}.000Z`,
    });
    const rows = [
      row('PENDING', 0),
      row('PROCESSING', 1),
      row('PROCESSING', 2, 'asked again'),
      row('PENDING', 3, 'no answer'),
    ];
    expect(timelineSteps(rows).map(({ name, note }) => [name, note])).toEqual([
      ['received', undefined],
      ['sending', undefined],
      ['waiting', 'no answer'],
      ['delivered', undefined],
    ]);
  });

  test('says why a transfer failed', () => {
    const row = (status: string, second: number, notes: string) => ({
      status,
      notes,
      timestamp: `2026-01-01T00:00:0${second}.000Z`,
    });
    const rows = [
      row('PENDING', 0, 'Money reserved.'),
      row('PROCESSING', 1, 'Sending it to the mobile network.'),
      row('PENDING', 2, 'no answer'),
      row('PROCESSING', 3, 'Not approved: number not verified'),
      row('FAILED', 4, 'The money is back in your wallet.'),
    ];
    expect(timelineSteps(rows).map(({ name, note }) => [name, note])).toEqual([
      ['received', 'Money reserved.'],
      ['sending', undefined],
      ['waiting', 'no answer'],
      ['sending', 'Not approved: number not verified'],
      ['failed', 'The money is back in your wallet.'],
    ]);
  });

  test.each([
    ['PENDING', 'received'],
    ['PROCESSING', 'sending'],
    ['SETTLED', undefined],
    ['FAILED', undefined],
  ] as const)('of a %s transfer has the stage %s of held money', (status, stage) => {
    expect(heldStage(timelineOf(transaction(1, { status })).timeline)).toBe(stage);
  });
});
