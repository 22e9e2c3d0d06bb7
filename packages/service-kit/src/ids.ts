import { randomFillSync } from 'node:crypto';

let lastMs = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562, 5.7): 48 bits of Unix time in ms, then 12 bits that count up within the ms, so that the ids of
 * one process sort in the order of their creation.
 */
export function uuidv7(nowMs = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const bytes = randomBytes16();
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return toUuid(bytes.toString('hex'));
}

/** 32 hexadecimal digits in UUID notation. */
export function toUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The smallest id that `uuidv7` can have made at a moment. */
export function firstIdAt(at: Date): string {
  return toUuid(`${Math.max(0, at.getTime()).toString(16).padStart(12, '0')}70008000000000000000`);
}

const POOL_BYTES = 4_096;
const pool = Buffer.alloc(POOL_BYTES);
let taken = POOL_BYTES;

/** Taken from a pool: requesting random bytes from the system for each id costs several times the rest of the work. */
function randomBytes16(): Buffer {
  if (taken === POOL_BYTES) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += 16;
  return Buffer.from(pool.subarray(taken - 16, taken));
}
