import { AppError, overloaded } from '@vuka/service-kit/app-error';
import type { Logger } from '@vuka/service-kit/logger';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrderGate } from './order-gate.ts';
import { noteRefusals } from './refused-orders.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function gateThat(letThrough: () => Promise<never>) {
  const lines: [object, string][] = [];
  const logger = { warn: (facts: object, text: string) => lines.push([facts, text]) } as unknown as Logger;
  const gate = noteRefusals({ letThrough, limit: 1 } as OrderGate, logger, 5_000);
  const order = () =>
    gate
      .letThrough(
        'an order',
        async () => 'amina',
        async () => 'sent',
      )
      .catch(() => undefined);
  return { lines, order };
}

test('an overload is two lines in the log, however many orders are refused', async () => {
  const { lines, order } = gateThat(() => Promise.reject(overloaded('300 wait, 10 a second go')));
  for (let time = 0; time < 50; time += 1) {
    await order();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(lines).toEqual([[{ cause: '300 wait, 10 a second go' }, 'orders are refused: overload']]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(lines.slice(1)).toEqual([[{ refused: 50 }, 'orders are no longer refused']]);
  await order();
  expect(lines).toHaveLength(3);
});

test('an order that is refused for itself is no overload', async () => {
  const { lines, order } = gateThat(() => Promise.reject(new AppError('insufficient_funds')));
  await order();
  expect(lines).toEqual([]);
});
