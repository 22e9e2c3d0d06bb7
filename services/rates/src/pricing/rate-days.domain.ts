import { DAY_MS, dayEnd, dayOf, dayStart } from '@vuka/contracts/http/days';
import { RATE_DAYS, type RateDays } from '@vuka/contracts/http/rates';
import { inverseSellRate, sellRate } from '@vuka/money';
import { RATED, reverseOf } from '@vuka/money/directions';
import type { EnteredRate } from './large-change.domain.ts';

const WEEK_DAYS = 7;

/** A rate, and when it came into force (ms since 1970). */
export interface RateChange extends EnteredRate {
  atMs: number;
}

/** When the first of the last `count` East African days began; the last one is today. */
function startOf(count: number, nowMs: number): number {
  return Date.parse(dayStart(dayOf(nowMs))) - (count - 1) * DAY_MS;
}

/** The moment from which `rateDays` needs every change, besides the last one before it. */
export const firstDayStart = (nowMs: number): number => startOf(RATE_DAYS, nowMs);

/**
 * The closing rate of each day, and the directions for which today's rate is the best of the week. `changes` are oldest
 * first.
 */
export function rateDays(changes: readonly RateChange[], nowMs: number): RateDays {
  const days = Array.from({ length: RATE_DAYS }, (_, index) => dayOf(firstDayStart(nowMs) + index * DAY_MS));
  return {
    days: days.flatMap((day) => {
      const closing = inForceBefore(changes, Date.parse(dayEnd(day)));
      return closing ? [{ day, sellRate: Number(sellRate(closing.buyRate, closing.markup)) }] : [];
    }),
    bestOfWeek: bestOfWeek(changes, nowMs),
  };
}

function inForceBefore(changes: readonly RateChange[], ms: number): RateChange | undefined {
  return changes.findLast(({ atMs }) => atMs < ms);
}

function bestOfWeek(changes: readonly RateChange[], nowMs: number): RateDays['bestOfWeek'] {
  const weekStart = startOf(WEEK_DAYS, nowMs);
  const before = inForceBefore(changes, weekStart);
  const week = [...(before ? [before] : []), ...changes.filter(({ atMs }) => atMs >= weekStart)];
  const back = reverseOf(RATED.direction);
  const priced = [
    { direction: RATED.direction, rates: week.map(({ buyRate, markup }) => Number(sellRate(buyRate, markup))) },
    ...(back
      ? [{ direction: back, rates: week.map(({ buyRate, markup }) => Number(inverseSellRate(buyRate, markup))) }]
      : []),
  ];
  return priced
    .filter(({ rates }) => rates.at(-1) === Math.max(...rates) && Math.min(...rates) < Math.max(...rates))
    .map(({ direction }) => direction);
}
