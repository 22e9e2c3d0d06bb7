import { expect, test } from 'vitest';
import { createSuspects } from './suspects.ts';

function withClock() {
  const clock = { nowMs: 0 };
  return { clock, suspects: createSuspects(() => clock.nowMs) };
}

function refuse({ suspects }: ReturnType<typeof withClock>, address: string, times = 20): void {
  for (let refusal = 0; refusal < times; refusal += 1) suspects.noteRefusal(address);
}

test('twenty refusals within a minute make only that address suspect', () => {
  const watch = withClock();
  refuse(watch, '203.0.113.1', 19);
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(false);
  refuse(watch, '203.0.113.1', 1);
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(true);
  expect(watch.suspects.isSuspect('203.0.113.2')).toBe(false);
});

test('an address is suspect until the end of the next minute', () => {
  const watch = withClock();
  watch.clock.nowMs = 59_000;
  refuse(watch, '203.0.113.1');
  watch.clock.nowMs = 61_000;
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(true);
  watch.clock.nowMs = 122_000;
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(false);
});

test('refusals are forgotten after some minutes without new ones', () => {
  const watch = withClock();
  refuse(watch, '203.0.113.1');
  watch.clock.nowMs = 180_000;
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(false);
  refuse(watch, '203.0.113.1', 19);
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(false);
});

test('a flood from more addresses than are kept makes every address suspect for the same time', () => {
  const watch = withClock();
  for (let address = 0; address < 10_000; address += 1) refuse(watch, `address ${address}`, 1);
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(true);
  watch.clock.nowMs = 61_000;
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(true);
  watch.clock.nowMs = 122_000;
  expect(watch.suspects.isSuspect('203.0.113.1')).toBe(false);
});
