import { expect, test } from 'vitest';
import { makePlan } from './plan.ts';
import { createRandom } from './random.ts';

const GROUPS = [
  { kinds: ['a', 'b', 'c'], everyMs: 1_000 },
  { kinds: ['d'], everyMs: 500 },
];

test('the same seed yields the same plan, another seed another one', () => {
  const plan = (seed: number) => makePlan(GROUPS, 60_000, createRandom(seed));
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1)).not.toEqual(plan(2));
});

test('faults come in order, within the length, and every kind of a group before any comes twice', () => {
  const plan = makePlan(GROUPS, 60_000, createRandom(3));
  expect(plan.map(({ atMs }) => atMs)).toEqual(plan.map(({ atMs }) => atMs).toSorted((x, y) => x - y));
  expect(plan.at(-1)?.atMs).toBeLessThan(60_000);
  const first = plan.filter(({ lane }) => lane === 0).slice(0, 3);
  expect(first.map(({ kind }) => kind).toSorted()).toEqual(['a', 'b', 'c']);
});

test('a draw lies between its bounds, both included', () => {
  const random = createRandom(4);
  const drawn = new Set(Array.from({ length: 200 }, () => random.between(2, 4)));
  expect([...drawn].toSorted()).toEqual([2, 3, 4]);
});
