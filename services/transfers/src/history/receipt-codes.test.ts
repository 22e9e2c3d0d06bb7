import { uuidv7 } from '@vuka/service-kit/ids';
import { readKeyring } from '@vuka/service-kit/keyring';
import { expect, test } from 'vitest';
import { createReceiptCodes } from './receipt-codes.ts';

const codes = createReceiptCodes(readKeyring('a secret that has 32 characters..'));
const id = uuidv7();

test('a code names its transfer and is deterministic', () => {
  const code = codes.codeOf(id);
  expect(code).toMatch(/^[\w-]{108}$/);
  expect(codes.read(code)).toBe(id);
  expect(codes.codeOf(id)).toBe(code);
});

test('a code with any one character changed is rejected', () => {
  const code = codes.codeOf(id);
  for (let at = 0; at < code.length; at++) {
    for (const other of ['A', 'x', '_']) {
      if (code[at] !== other) expect(codes.read(code.slice(0, at) + other + code.slice(at + 1))).toBeUndefined();
    }
  }
});

test('one transfer’s signature is not valid for another', () => {
  const [mine, other] = [codes.codeOf(id), codes.codeOf(uuidv7())].map((code) => Buffer.from(code, 'base64url'));
  const swapped = Buffer.concat([mine?.subarray(0, 17) ?? '', other?.subarray(17) ?? ''] as Buffer[]);
  expect(codes.read(swapped.toString('base64url'))).toBeUndefined();
});

test.each(['', 'x', 'A'.repeat(107), 'A'.repeat(109), `${'A'.repeat(107)}=`, ` ${'A'.repeat(107)}`])(
  '%j is not a code',
  (text) => {
    expect(codes.read(text)).toBeUndefined();
  },
);

test('codes of a replaced key are read while its public key is configured', () => {
  const code = codes.codeOf(id);
  const secret = 'another secret of 32 characters..';
  expect(createReceiptCodes(readKeyring(secret)).read(code)).toBeUndefined();
  const renewed = createReceiptCodes(readKeyring(secret), [codes.publicKey]);
  expect(renewed.read(code)).toBe(id);
  expect(renewed.codeOf(id)).not.toBe(code);
});

test('an invalid public key is refused at startup', () => {
  expect(() => createReceiptCodes(readKeyring('a secret that has 32 characters..'), ['not a key'])).toThrow();
});
