import { eastAfricaClock } from '@vuka/contracts/http/days';
import { StatementQuery } from '@vuka/contracts/http/statements';
import * as z from 'zod/mini';

export type Period = StatementQuery;

const toDay = (date: Date): string => date.toISOString().slice(0, 10);

const PERIODS = ['thisMonth', 'lastMonth', 'last90Days', 'thisYear'] as const;
type PeriodName = (typeof PERIODS)[number];

export function periodOf(name: PeriodName, nowMs = Date.now()): Period {
  // East Africa Time, whatever the device's time zone.
  const now = eastAfricaClock(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const at = (ofYear: number, ofMonth: number, day: number): string => toDay(new Date(Date.UTC(ofYear, ofMonth, day)));
  switch (name) {
    case 'thisMonth':
      return { from: at(year, month, 1), to: toDay(now) };
    case 'lastMonth':
      return { from: at(year, month - 1, 1), to: at(year, month, 0) };
    case 'last90Days':
      return { from: at(year, month, now.getUTCDate() - 89), to: toDay(now) };
    case 'thisYear':
      return { from: at(year, 0, 1), to: toDay(now) };
  }
}

/** The periods with a name, each once: in January this year is this month. */
export function namedPeriods(nowMs = Date.now()): ({ name: PeriodName } & Period)[] {
  const periods = PERIODS.map((name) => ({ name, ...periodOf(name, nowMs) }));
  return periods.filter(
    ({ from, to }, index) => periods.findIndex((each) => each.from === from && each.to === to) === index,
  );
}

/** The period from the address; this month if it names none. `periodError` reports an invalid one. */
export function readPeriod(params: URLSearchParams): Period {
  const fallback = periodOf('thisMonth');
  return { from: params.get('from') ?? fallback.from, to: params.get('to') ?? fallback.to };
}

/** Why a period has no statement: the message of the contract's rule. */
export function periodError(period: Period): string | undefined {
  return z.safeParse(StatementQuery, period).error?.issues[0]?.message;
}
