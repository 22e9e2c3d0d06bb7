import { TIERS } from '@vuka/contracts/http/tiers';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { expect, test } from 'vitest';
import { allowanceAt, defaultLimits, leftOf, periodsOf } from './limits.domain.ts';

test('days and months begin at midnight in East Africa', () => {
  const lastMoment = periodsOf(new Date('2026-02-28T20:59:59.999Z'));
  expect(lastMoment.day).toEqual({ start: '2026-02-28', endsAt: new Date('2026-02-28T21:00:00Z') });
  expect(lastMoment.month).toEqual({ start: '2026-02-01', endsAt: new Date('2026-02-28T21:00:00Z') });
  const midnight = periodsOf(new Date('2026-02-28T21:00:00Z'));
  expect(midnight.day).toEqual({ start: '2026-03-01', endsAt: new Date('2026-03-01T21:00:00Z') });
  expect(midnight.month).toEqual({ start: '2026-03-01', endsAt: new Date('2026-03-31T21:00:00Z') });
});

test('a higher tier has no lower limit, in any currency', () => {
  for (const currency of WALLET_CURRENCIES) {
    const [unverified, verified, business] = TIERS.map((tier) => defaultLimits(tier, currency));
    for (const kind of ['perTransaction', 'perDay', 'perMonth', 'perDayIn', 'perMonthIn'] as const) {
      expect(verified?.[kind]).toBeGreaterThanOrEqual(Number(unverified?.[kind]));
      expect(business?.[kind]).toBeGreaterThanOrEqual(Number(verified?.[kind]));
    }
  }
});

test('what is used of an earlier day or month does not count', () => {
  const limits = { perTransaction: 10n, perDay: 100n, perMonth: 1_000n, perDayIn: 50n, perMonthIn: 500n };
  const allowance = allowanceAt(limits, 'out', new Date('2026-03-01T12:00:00Z'));
  const usage = { day: '2026-03-01', dayAmount: 40n, month: '2026-03-01', monthAmount: 400n };
  expect(leftOf(allowance, usage)).toEqual({ day: 60n, month: 600n });
  expect(leftOf(allowance, { ...usage, day: '2026-02-28', month: '2026-02-01' })).toEqual({ day: 100n, month: 1_000n });
  expect(leftOf(allowance, { ...usage, dayAmount: 170n })).toEqual({ day: 0n, month: 600n });
  expect(leftOf(allowance, undefined)).toEqual({ day: 100n, month: 1_000n });
  expect(allowanceAt(limits, 'in', new Date('2026-03-01T12:00:00Z'))).toMatchObject({ perDay: 50n, perMonth: 500n });
});
