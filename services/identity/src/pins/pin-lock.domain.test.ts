import { expect, test } from 'vitest';
import { afterWrongPin, lockedForSeconds, NO_ATTEMPTS, type PinAttempts } from './pin-lock.domain.ts';

const now = new Date('2026-01-05T10:00:00Z');

function wrongTimes(times: number, from: PinAttempts = NO_ATTEMPTS) {
  let attempts = from;
  for (let time = 0; time < times; time++) attempts = afterWrongPin(attempts, 3, now);
  return attempts;
}

test('the third wrong PIN of three allowed locks for 15 minutes', () => {
  expect(lockedForSeconds(wrongTimes(2), now)).toBe(0);
  expect(lockedForSeconds(wrongTimes(3), now)).toBe(900);
  expect(lockedForSeconds(wrongTimes(3), new Date(now.getTime() + 900_000))).toBe(0);
});

test('each further lock is twice as long, up to a day', () => {
  expect(lockedForSeconds(wrongTimes(3, wrongTimes(3)), now)).toBe(1_800);
  expect(lockedForSeconds(wrongTimes(60), now)).toBe(86_400);
});

test('with one attempt allowed, the first wrong PIN locks', () => {
  expect(lockedForSeconds(afterWrongPin(NO_ATTEMPTS, 1, now), now)).toBe(900);
});
