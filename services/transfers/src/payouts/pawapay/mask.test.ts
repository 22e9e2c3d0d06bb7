import { expect, test } from 'vitest';
import { cutBody, maskBody, maskText } from './mask.ts';

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

test.each([
  ['quotes and backslashes, which are escaped', '"\\\\'],
  ['characters of three bytes', '€'],
  ['characters of four bytes', '💸'],
])('a long body of %s keeps its beginning, in at most 32 KB', (_, character) => {
  const body = { status: 'FOUND', more: character.repeat(400_000) };
  const cut = cutBody(body);
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThan(32 * 1024);
  expect(cut).toMatchObject({
    cut: 'the body is too long',
    bytes: Buffer.byteLength(JSON.stringify(body)),
    beginning: expect.stringMatching(/^\{"status":"FOUND"/),
  });
});

test('a body of any depth is recorded, without what is below fifty levels', () => {
  const deep = JSON.parse(`${'['.repeat(5_000)}{"pin":"1357"}${']'.repeat(5_000)}`);
  const text = JSON.stringify(maskBody(deep));
  expect(text).toContain('nested too deeply');
  expect(text).not.toContain('1357');
});

test('a body of usual length is recorded as it is', () => {
  const body = { status: 'FOUND', more: 'x'.repeat(20_000) };
  expect(cutBody(body)).toBe(body);
});
