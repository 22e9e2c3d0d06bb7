import type { Logger } from '@vuka/service-kit/logger';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRefusalLog } from './refusal-log.ts';

test('a flood of refused callbacks logs one warning per 10 s with a count per reason', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const warn = vi.fn<(facts: object, text: string) => void>();
  const log = createRefusalLog({ warn } as unknown as Logger);
  for (let callback = 0; callback < 500; callback += 1) log.note(callback % 5 === 0 ? 'expired' : 'no_signature');
  expect(warn.mock.calls.map(([facts]) => facts)).toEqual([{ refused: 1, reasons: { expired: 1 } }]);
  vi.advanceTimersByTime(9_999);
  expect(warn).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(warn.mock.calls.at(-1)?.[0]).toEqual({ refused: 499, reasons: { no_signature: 400, expired: 99 } });
  vi.advanceTimersByTime(60_000);
  expect(warn).toHaveBeenCalledTimes(2);
  log.note('bad_digest');
  expect(warn).toHaveBeenCalledTimes(3);
});
