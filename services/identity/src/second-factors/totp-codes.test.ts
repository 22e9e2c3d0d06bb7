import { expect, test } from 'vitest';
import { otpauthUri, stepAt, toBase32 } from './totp.domain.ts';
import { stepOfCode, totpCode } from './totp-codes.ts';

const SECRET = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, the last six of the eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is %s', (seconds, code) => {
  expect(totpCode(SECRET, stepAt(new Date(seconds * 1_000)))).toBe(code);
});

test('a code is known one step before and after its own, and no longer', () => {
  const now = new Date(1_234_567_890_000);
  const step = stepAt(now);
  const known = [-2, -1, 0, 1, 2].map((drift) => stepOfCode(SECRET, totpCode(SECRET, step + drift), now));
  expect(known).toEqual([undefined, step - 1, step, step + 1, undefined]);
});

test('apps get the secret in base 32', () => {
  expect(toBase32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(toBase32(Buffer.from([0xff]))).toBe('74');
  expect(otpauthUri({ secret: 'GEZD', account: 'a@b.c' })).toBe(
    'otpauth://totp/Vuka%3Aa%40b.c?secret=GEZD&issuer=Vuka',
  );
});
