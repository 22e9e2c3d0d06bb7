import { uuidv7 } from '@vuka/service-kit/ids';
import { expect, test } from 'vitest';
import { createReceiptCodes } from './receipt-codes.ts';

const codes = createReceiptCodes('a secret that has 32 characters..');
const id = uuidv7();

test('a code leads back to its transfer, and is the same each time', () => {
  const code = codes.codeOf(id);
  expect(code).toMatch(/^[\w-]{108}$/);
  expect(codes.read(code)).toBe(id);
  expect(codes.codeOf(id)).toBe(code);
});

test('a code in which any one character was changed is not ours', () => {
  const code = codes.codeOf(id);
  for (let at = 0; at < code.length; at++) {
    for (const other of ['A', 'x', '_']) {
      if (code[at] !== other) expect(codes.read(code.slice(0, at) + other + code.slice(at + 1))).toBeUndefined();
    }
  }
});

test('the signature of one transfer does not fit another', () => {
  const [mine, other] = [codes.codeOf(id), codes.codeOf(uuidv7())].map((code) => Buffer.from(code, 'base64url'));
  const swapped = Buffer.concat([mine?.subarray(0, 17) ?? '', other?.subarray(17) ?? ''] as Buffer[]);
  expect(codes.read(swapped.toString('base64url'))).toBeUndefined();
});

test.each(['', 'x', 'A'.repeat(107), 'A'.repeat(109), `${'A'.repeat(107)}=`, ` ${'A'.repeat(107)}`])(
  '%j is no code',
  (text) => {
    expect(codes.read(text)).toBeUndefined();
  },
);

test('codes of a replaced key are read for as long as its public key is named', () => {
  const code = codes.codeOf(id);
  const secret = 'another secret of 32 characters..';
  expect(createReceiptCodes(secret).read(code)).toBeUndefined();
  const renewed = createReceiptCodes(secret, [codes.publicKey]);
  expect(renewed.read(code)).toBe(id);
  expect(renewed.codeOf(id)).not.toBe(code);
});

test('what is no public key is refused at once', () => {
  expect(() => createReceiptCodes('a secret that has 32 characters..', ['not a key'])).toThrow();
});
