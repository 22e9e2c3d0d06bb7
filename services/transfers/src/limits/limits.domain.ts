import { eastAfricaClock } from '@vuka/contracts/http/days';
import type { LimitKind } from '@vuka/contracts/http/tier-limits';
import type { Tier } from '@vuka/contracts/http/tiers';
import { parseMoney } from '@vuka/money';
import { CURRENCIES, type WalletCurrency } from '@vuka/money/corridors';

/** Amounts in minor units. */
export type Limits = Record<LimitKind, bigint>;

/** The initial limits of each tier, in multiples of the currency's `limitUnit`: about those of mobile-money operators. */
const DEFAULTS: Record<Tier, Record<LimitKind, number>> = {
  unverified: { perTransaction: 250, perDay: 500, perMonth: 5_000, perDayIn: 500, perMonthIn: 5_000 },
  verified: { perTransaction: 500, perDay: 1_000, perMonth: 20_000, perDayIn: 2_000, perMonthIn: 40_000 },
  business: { perTransaction: 2_000, perDay: 10_000, perMonth: 200_000, perDayIn: 20_000, perMonthIn: 400_000 },
};

/** The limits of a tier that no administrator has changed. */
export function defaultLimits(tier: Tier, currency: WalletCurrency): Limits {
  const amountOf = (kind: LimitKind) => parseMoney(String(DEFAULTS[tier][kind] * CURRENCIES[currency].limitUnit));
  return {
    perTransaction: amountOf('perTransaction'),
    perDay: amountOf('perDay'),
    perMonth: amountOf('perMonth'),
    perDayIn: amountOf('perDayIn'),
    perMonthIn: amountOf('perMonthIn'),
  };
}

/** A day or a month that is counted: its first day (YYYY-MM-DD) in East Africa, and when the next one begins. */
export interface Period {
  start: string;
  endsAt: Date;
}

/** The day and the month of a moment, in East Africa. */
export function periodsOf(at: Date): { day: Period; month: Period } {
  const clock = eastAfricaClock(at.getTime());
  const offsetMs = clock.getTime() - at.getTime();
  const [year, month, day] = [clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate()];
  const period = (startMs: number, nextMs: number): Period => ({
    start: new Date(startMs).toISOString().slice(0, 10),
    endsAt: new Date(nextMs - offsetMs),
  });
  return {
    day: period(Date.UTC(year, month, day), Date.UTC(year, month, day + 1)),
    month: period(Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)),
  };
}

/** What an order or a payment adds to its user's count, and how far the count may go. Minor units. */
export interface Allowance {
  day: string;
  month: string;
  perDay: bigint;
  perMonth: bigint;
}

/**
 * `new`: inserted. `known`: the user's client transaction id exists already. The others were not inserted, since their
 * user's count would have exceeded the allowance.
 */
export type Insertion = 'new' | 'known' | 'over_day' | 'over_month';

/** The allowance of one side at a moment. */
export function allowanceAt(limits: Limits, side: 'out' | 'in', at: Date): Allowance {
  const { day, month } = periodsOf(at);
  const [perDay, perMonth] = side === 'out' ? [limits.perDay, limits.perMonth] : [limits.perDayIn, limits.perMonthIn];
  return { day: day.start, month: month.start, perDay, perMonth };
}

/** What a user has used of a day and a month, in minor units. */
export interface Usage {
  day: string;
  dayAmount: bigint;
  month: string;
  monthAmount: bigint;
}

/** What is left of an allowance; never negative, even if limits were lowered below what is used. */
export function leftOf(allowance: Allowance, usage: Usage | undefined): { day: bigint; month: bigint } {
  const { dayUsed, monthUsed } = usedOf(allowance, usage);
  const atLeastNothing = (amount: bigint) => (amount > 0n ? amount : 0n);
  return { day: atLeastNothing(allowance.perDay - dayUsed), month: atLeastNothing(allowance.perMonth - monthUsed) };
}

/** What counts towards the day and the month; counts of an earlier day or month have expired. */
export function usedOf({ day, month }: Pick<Allowance, 'day' | 'month'>, usage: Usage | undefined) {
  return {
    dayUsed: usage && usage.day >= day ? usage.dayAmount : 0n,
    monthUsed: usage && usage.month >= month ? usage.monthAmount : 0n,
  };
}
