import { expect, test } from 'vitest';
import { createAbsence } from './absence.ts';

const PATIENCE_MS = 8_000;

function watchNeighbour() {
  let nowMs = 0;
  return { absence: createAbsence(PATIENCE_MS, () => nowMs), wait: (ms: number) => (nowMs += ms) };
}

test('calls wait for an absent neighbour for as long as the patience, counted from the first of them', () => {
  const { absence, wait } = watchNeighbour();
  expect(absence.isAwaited).toBe(false);
  expect(absence.notice()).toBe(true);
  wait(PATIENCE_MS - 1);
  expect(absence.notice()).toBe(true);
  expect(absence.isAwaited).toBe(true);
  wait(1);
  expect(absence.notice()).toBe(false);
  expect(absence.isAwaited).toBe(false);
});

test('calls wait again for a neighbour that has answered meanwhile, or that was not called for a while', () => {
  const { absence, wait } = watchNeighbour();
  absence.notice();
  absence.end();
  expect(absence.isAwaited).toBe(false);
  wait(PATIENCE_MS - 1);
  absence.notice();
  wait(PATIENCE_MS - 1);
  expect(absence.notice()).toBe(true);
  wait(2 * PATIENCE_MS);
  expect(absence.notice()).toBe(true);
});
