import { expect, test } from 'vitest';
import { parseLsn, segmentsBetween } from './wal-segments.ts';

const MB = 1024n * 1024n;
const between = (start: string, stop: string) =>
  segmentsBetween({ start: parseLsn(start), stop: parseLsn(stop), timeline: 2 }, 16n * MB);

test('a backup needs each segment from its start to its stop', () => {
  expect(between('0/2000028', '0/4000100')).toEqual([
    '000000020000000000000002',
    '000000020000000000000003',
    '000000020000000000000004',
  ]);
});

test('a stop at the exact end of a segment does not need the next one', () => {
  expect(between('0/2000028', '0/3000000')).toEqual(['000000020000000000000002']);
});

test('segment numbers continue across four gigabytes', () => {
  expect(between('0/FF000028', '1/10')).toEqual(['0000000200000000000000FF', '000000020000000100000000']);
});
