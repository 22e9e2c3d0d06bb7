import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { RateDays } from '@vuka/contracts/http/rates';
import { corridorOf, RATED } from '@vuka/money/directions';
import { TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { RATES_KEY } from '#shared/api/keys.ts';
import { callApi } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('rate-trend', {
  title: params('{direction}, last 30 days'),
  label: params('In the last 30 days, 1 {source} was worth between {low} and {high} {target} at the end of a day'),
  best: params('{directions}: best this week'),
});

/** Fetched again when the current rate changes: the last day's is the current one. */
function rateDaysQuery(updatedAt: string | undefined) {
  return queryOptions({
    queryKey: [...RATES_KEY, 'days', updatedAt],
    queryFn: ({ signal }) => callApi('/api/rates/days', RateDays, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 600_000,
    refetchOnMount: true,
    meta: { silent: true },
  });
}

const WIDTH = 100;
const HEIGHT = 40;
/** Keeps the line away from the edges. */
const MARGIN = 5;

/** A step per day. The same rate on every day is a line in the middle. */
function stepPath(rates: readonly number[], low: number, high: number): string {
  const y = (rate: number): string =>
    (high === low ? HEIGHT / 2 : MARGIN + ((high - rate) / (high - low)) * (HEIGHT - 2 * MARGIN)).toFixed(2);
  const steps = rates.map((rate, index) => `${index === 0 ? 'M0 ' : `H${(index / rates.length) * WIDTH}V`}${y(rate)}`);
  return `${steps.join('')}H${WIDTH}`;
}

const { source, target } = RATED;

function nameOf(direction: RateDays['bestOfWeek'][number]): string {
  const corridor = corridorOf(direction);
  return `${corridor.source} → ${corridor.target}`;
}

interface RateTrendProps {
  updatedAt: string | undefined;
  /** Shown until the rates have loaded. */
  meanwhile: ReactNode;
}

/** The closing rates of the last 30 days as a line and in words, and for whom today's is the best of the week. */
export function RateTrend({ updatedAt, meanwhile }: RateTrendProps) {
  const t = useStore(MESSAGES);
  const { data, isPending, isPlaceholderData } = useQuery(rateDaysQuery(updatedAt));
  if (isPending) return meanwhile;
  if (!data || data.days.length === 0) return null;
  const rates = data.days.map(({ sellRate }) => sellRate);
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const path = stepPath(rates, low, high);
  return (
    <figure className="flex flex-1 flex-col">
      <figcaption className="flex flex-wrap justify-between gap-x-3 text-caption text-ink2">
        {t.title({ direction: nameOf(RATED.direction) })}
        <span aria-hidden className="nums text-ink3">
          {low === high ? low.toFixed(3) : `${low.toFixed(3)}–${high.toFixed(3)}`}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={t.label({ source, target, low: low.toFixed(3), high: high.toFixed(3) })}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-1 h-12 w-full rounded-chip lg:h-auto lg:min-h-12 lg:flex-1"
      >
        <path d={`${path}V${HEIGHT}H0Z`} className="fill-primary-soft" />
        <path d={path} fill="none" strokeWidth="2" vectorEffect="non-scaling-stroke" className="stroke-primary" />
      </svg>
      {isPlaceholderData || data.bestOfWeek.length === 0 ? null : (
        <p className="mt-1 flex items-center gap-1.5 text-caption font-semibold text-ok-ink">
          <TrendingUp aria-hidden className="size-4 shrink-0" />
          {t.best({ directions: data.bestOfWeek.map(nameOf).join(', ') })}
        </p>
      )}
    </figure>
  );
}
