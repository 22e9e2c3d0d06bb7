import { CreateTransfer } from '@vuka/contracts/http/orders';
import { reason } from '@vuka/contracts/texts/reason';
import { expect, test } from 'vitest';

const ORDER = {
  direction: 'KES_TO_TZS',
  sourceAmount: '1000',
  sourceCurrency: 'KES',
  targetAmount: '23030',
  targetCurrency: 'TZS',
  recipientPhone: '+255763456700',
  pin: '1357',
  clientTransactionId: 'CLIENT-1',
  quoteId: '0190a000-0000-7000-8000-000000000001',
  fee: '0',
};

test('an order is accepted, also without currencies', () => {
  expect(CreateTransfer.safeParse(ORDER).success).toBe(true);
  const { sourceCurrency: _, targetCurrency: __, ...shorter } = ORDER;
  expect(CreateTransfer.safeParse(shorter).success).toBe(true);
});

test.each(Object.keys(ORDER))('an order with a %s of 60 KB is refused', (field) => {
  for (const character of ['x', '1', '0', '+', ' '])
    expect(CreateTransfer.safeParse({ ...ORDER, [field]: character.repeat(60_000) }).success, character).toBe(false);
});

test.each(['sourceCurrency', 'targetCurrency'])('the refusal names the allowed values of %s', (field) => {
  const { error } = CreateTransfer.safeParse({ ...ORDER, [field]: 'EUR' });
  const message = reason('currency_unknown', { allowed: 'KES or TZS' });
  expect(error?.issues).toMatchObject([{ path: [field], message }]);
});
