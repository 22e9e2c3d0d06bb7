import { createHmac, timingSafeEqual } from 'node:crypto';
import { acceptedSteps, digitsOfMac } from './totp.domain.ts';

/** The code of a time step: an HMAC-SHA1, which is what every authenticator app computes. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  return digitsOfMac(createHmac('sha1', secret).update(counter).digest());
}

/** The step whose code this is; undefined for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const given = Buffer.from(code);
  return acceptedSteps(now).find((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
