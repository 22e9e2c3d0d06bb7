import { expect, test } from 'vitest';
import { maskBody, maskText } from './mask.ts';

test('what identifies a person is masked at any depth, and the rest stays', () => {
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

test('broken JSON is not recorded, since nothing in it can be masked; a page is, cut short', () => {
  expect(JSON.stringify(maskText('{"firstName":"Juma","las'))).not.toContain('Juma');
  expect(maskText(`<html>${'x'.repeat(1_000)}`)).toHaveLength(500);
});
