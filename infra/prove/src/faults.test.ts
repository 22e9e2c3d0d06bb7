import { expect, test } from 'vitest';
import { faultsFor } from './faults.ts';

const LONG = { lengthMs: 3_600_000, hasClock: true };
const kindsOf = (hasBroker: boolean, words: string[] = []) =>
  faultsFor({ ...LONG, hasBroker }, words).flatMap(({ kinds }) => kinds);

test('on the embedded bus no fault needs a broker, and no other fault is missing', () => {
  const kinds = kindsOf(false);
  expect(kinds.filter((kind) => /broker|messages again/.test(kind))).toEqual([]);
  expect(kinds).toEqual(kindsOf(true).filter((kind) => !/broker|messages again/.test(kind)));
});

test('words select the faults whose kind contains one of them', () => {
  expect(kindsOf(true, ['kill gateway', 'callback lost'])).toEqual(['kill gateway', 'provider: callback lost']);
});
