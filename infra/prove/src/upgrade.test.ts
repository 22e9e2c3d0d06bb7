import { expect, test } from 'vitest';
import { faultsFor } from './faults.ts';
import { planUpgrade } from './upgrade.ts';

const LENGTH_MS = 600_000;
const UPGRADE = {
  lengthMs: LENGTH_MS,
  hasClocks: true,
  hasDisk: true,
  canLimitMemory: true,
  hasBroker: true,
  isCluster: true,
  isUpgrade: true,
};

test('an upgrade goes forward, back in the reverse order, and forward again, and leaves time for the rest', () => {
  const plan = planUpgrade(0, LENGTH_MS);
  const kinds = plan.map(({ kind }) => kind);
  const forward = kinds.slice(0, 8);
  expect(forward[0]).toBe('upgrade wallet');
  expect(forward.at(-1)).toBe('upgrade gateway');
  expect(kinds.slice(8, 16)).toEqual(forward.map((kind) => kind.replace('upgrade', 'step back')).toReversed());
  expect(kinds.slice(16)).toEqual(forward);
  expect(plan.map(({ atMs }) => atMs)).toEqual(plan.map(({ atMs }) => atMs).toSorted((x, y) => x - y));
  expect(plan.at(-1)?.atMs).toBeLessThan(LENGTH_MS * 0.8);
  expect(plan.every(({ isOwed }) => isOwed)).toBe(true);
});

test('during an upgrade no other fault replaces a process, since callers may not be newer than what they call', () => {
  const kinds = faultsFor(UPGRADE, []).flatMap((group) => group.kinds);
  expect(kinds.filter((kind) => kind.startsWith('replace'))).toEqual([]);
  expect(kinds).toContain('kill gateway');
});
