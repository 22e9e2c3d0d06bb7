// Names of write-ahead log files: timeline, then the segment's number in two parts, all in hexadecimal.

export const SEGMENT_NAME = /^[0-9A-F]{24}$/;
export const HISTORY_NAME = /^[0-9A-F]{8}\.history$/;

/** A position in Postgres' notation (`0/2000028`), in bytes. */
export function parseLsn(lsn: string): bigint {
  const [high, low] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The files that contain everything from `start` up to `stop`. Sizes in bytes. */
export function segmentsBetween(
  { start, stop, timeline }: { start: bigint; stop: bigint; timeline: number },
  segmentBytes: bigint,
): string[] {
  const names: string[] = [];
  for (let number = start / segmentBytes; number <= (stop - 1n) / segmentBytes; number += 1n) {
    const perId = 0x1_0000_0000n / segmentBytes;
    names.push([BigInt(timeline), number / perId, number % perId].map(toHex).join(''));
  }
  return names;
}

const toHex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
