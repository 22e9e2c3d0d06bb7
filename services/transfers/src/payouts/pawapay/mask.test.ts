import { expect, test } from 'vitest';
import { maskBody, maskText } from './mask.ts';

test('fields that identify a person are masked at any depth, and only those', () => {
  expect(
    maskBody({
      payoutId: 'p',
      recipient: { recipientDetails: { firstName: 'Juma' }, accountDetails: { phoneNumber: '255763456789' } },
      sender: { senderDetails: { identification: { number: '123' } }, transactionDetails: { originalAmount: '1' } },
      metadata: [{ customerId: 'c', isPII: true }, { transferId: 't' }],
    }),
  ).toEqual({
    payoutId: 'p',
    recipient: { recipientDetails: '***', accountDetails: { phoneNumber: '255763456789' } },
    sender: { senderDetails: '***', transactionDetails: { originalAmount: '1' } },
    metadata: ['***', { transferId: 't' }],
  });
});

test('broken JSON is not recorded, since it cannot be masked; an HTML page is recorded truncated', () => {
  expect(JSON.stringify(maskText('{"firstName":"Juma","las'))).not.toContain('Juma');
  expect(maskText(`<html>${'x'.repeat(1_000)}`)).toHaveLength(500);
});
