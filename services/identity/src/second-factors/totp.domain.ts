/** Time-based one-time passwords (RFC 6238): six digits, 30 seconds, as authenticator apps have them. Pure. */
const STEP_MS = 30_000;
/** Codes of one step before and after are accepted, since clocks differ and typing takes time. */
const DRIFT = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const stepAt = (now: Date) => Math.floor(now.getTime() / STEP_MS);

/** The steps whose codes are accepted now. */
export function acceptedSteps(now: Date): number[] {
  const step = stepAt(now);
  return Array.from({ length: 2 * DRIFT + 1 }, (_, index) => step - DRIFT + index);
}

/** The six digits of an HMAC (RFC 4226, section 5.3). */
export function digitsOfMac(mac: Buffer): string {
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** RFC 4648 without padding, as apps take it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The address of a QR code that apps scan. */
export function otpauthUri({ secret, account }: { secret: string; account: string }): string {
  return `otpauth://totp/${encodeURIComponent(`Vuka:${account}`)}?secret=${secret}&issuer=Vuka`;
}
