import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { afterEach, expect, test, vi } from 'vitest';
import { addRateLimits } from './rate-limits.ts';

afterEach(() => vi.restoreAllMocks());

test('a clock that is set back does not prolong the limit of a user’s transfers', async () => {
  const app = createHttpApp({
    service: 'gateway-test',
    logger: createLogger({ service: 'test', level: 'silent' }),
    checks: {},
  });
  const limits = await addRateLimits(app, 1);
  for (let transfer = 0; transfer < 30; transfer++) limits.allowTransfer('asha');
  expect(() => limits.allowTransfer('asha')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  const [wall, monotonic] = [Date.now(), performance.now()];
  vi.spyOn(Date, 'now').mockReturnValue(wall - 3_600_000);
  vi.spyOn(performance, 'now').mockReturnValue(monotonic + 60_001);
  limits.allowTransfer('asha');
});

test('a user changes the PIN ten times a day', async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const limits = await addRateLimits(createHttpApp({ service: 'gateway-test', logger, checks: {} }), 1);
  for (let change = 0; change < 10; change++) limits.allowPinChange('asha');
  expect(() => limits.allowPinChange('asha')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  limits.allowPinChange('neema');
});
