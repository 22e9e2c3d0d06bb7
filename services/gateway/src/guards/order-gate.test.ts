import { AppError, Overloaded } from '@vuka/service-kit/app-error';
import { expect, test, vi } from 'vitest';
import { createOrderGate } from './order-gate.ts';

const REFUSED = { code: 'unavailable', status: 503, retryAfterSeconds: expect.any(Number) };

function createGate(ageMs = 10_000) {
  let nowMs = 0;
  let isPaused = false;
  const gate = createOrderGate({ isPaused: () => isPaused, nowMs: () => nowMs });
  nowMs += ageMs;
  const check = vi.fn(async () => 'amina');
  const order = (id: string, answer: () => Promise<string> = async () => `accepted ${id}`) =>
    gate.letThrough(id, check, answer);
  const overloaded = () => Promise.reject(new Overloaded({ closedForMs: 250, retryAfterSeconds: 2 }));
  const pause = () => {
    isPaused = true;
  };
  return { gate, check, order, overloaded, pause, wait: (ms: number) => (nowMs += ms) };
}

test('after an overload refusal, new orders are refused for a moment without any check', async () => {
  const { check, order, overloaded, wait } = createGate();
  await expect(order('first', overloaded)).rejects.toMatchObject(REFUSED);
  expect(check).toHaveBeenCalledTimes(1);
  await expect(order('second')).rejects.toMatchObject(REFUSED);
  expect(check).toHaveBeenCalledTimes(1);
  wait(250);
  expect(await order('second')).toBe('accepted second');
});

test('an order that was passed on before is admitted while the gate is closed, a refused one is not', async () => {
  const { order, overloaded } = createGate();
  await expect(order('lost answer', () => Promise.reject(new AppError('unavailable')))).rejects.toThrow();
  await expect(order('refused', overloaded)).rejects.toMatchObject(REFUSED);
  expect(await order('lost answer')).toBe('accepted lost answer');
  await expect(order('refused')).rejects.toMatchObject(REFUSED);
});

test('an order whose sender was not authenticated is not remembered', async () => {
  const { gate, order, overloaded } = createGate();
  const wrongPin = () => Promise.reject(new AppError('invalid_pin'));
  await expect(gate.letThrough('guess', wrongPin, async () => '')).rejects.toMatchObject({ code: 'invalid_pin' });
  await expect(order('other', overloaded)).rejects.toMatchObject(REFUSED);
  await expect(order('guess')).rejects.toMatchObject(REFUSED);
});

test('orders beyond the limit are refused before any check, and repeats have a reserve', async () => {
  const { gate, check, order } = createGate();
  await order('repeated');
  let finish = () => {};
  const slow = new Promise<string>((resolve) => {
    finish = () => resolve('');
  });
  const underWay = Array.from({ length: gate.limit }, (_, index) => order(`slow ${index}`, () => slow));
  const checks = check.mock.calls.length;
  await expect(order('one more')).rejects.toMatchObject(REFUSED);
  expect(check).toHaveBeenCalledTimes(checks);
  expect(await order('repeated')).toBe('accepted repeated');
  finish();
  await Promise.all(underWay);
  expect(await order('one more')).toBe('accepted one more');
});

test.each([
  ['a gateway that has just started', 0],
  ['a gateway whose neighbour is being replaced', 10_000],
])('%s admits more orders than its limit, up to a bound', async (_what, ageMs) => {
  const { gate, order, pause } = createGate(ageMs);
  if (ageMs > 0) pause();
  const forever = new Promise<string>(() => undefined);
  const waiting = Array.from({ length: 1_000 }, (_, index) => order(`waiting ${index}`, () => forever));
  expect(gate.limit).toBeLessThan(1_000);
  await expect(order('one more')).rejects.toMatchObject(REFUSED);
  expect(waiting).toHaveLength(1_000);
});
