import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { DAY_MS } from '@vuka/contracts/http/days';
import type { RateHistoryItem } from '@vuka/contracts/http/rates';
import { formatDay } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/rate-chart', {
  label: params('Buy and sell rate from {from} to {to}. The table below has every figure.'),
  buy: 'Buy rate',
  sell: 'Sell rate',
});

/** The shortest time that the chart spans; a longer history is shown completely. */
const SHORTEST_MS = 7 * DAY_MS;
const WIDTH = 100;
const HEIGHT = 40;
/** Keeps the lines away from the edges. */
const MARGIN = 2;
/** The horizontal position of "now". A rate that was set just now still gets a visible line. */
const NOW = 96;

/** The distance of a rate from the top. */
function heightOf(rate: number, { low, high }: { low: number; high: number }): string {
  return (MARGIN + (1 - (rate - low) / (high - low)) * (HEIGHT - 2 * MARGIN)).toFixed(2);
}

/** A step line: each rate lasts until the next one was set, the last one until now. */
function stepPath(
  points: readonly { atMs: number; rate: number }[],
  range: { fromMs: number; toMs: number; low: number; high: number },
): string {
  const x = (atMs: number): number => ((atMs - range.fromMs) / (range.toMs - range.fromMs || 1)) * NOW;
  const steps = points.map(({ atMs, rate }, index) => {
    const at = x(atMs).toFixed(2);
    const height = heightOf(rate, range);
    return index === 0 ? `M${at} ${height}` : `H${at}V${height}`;
  });
  return `${steps.join('')}H${WIDTH}`;
}

const LINES = [
  { rate: 'buyRate', text: 'buy', stroke: 'stroke-ink3', line: 'border-dashed border-ink3', dash: '4 3' },
  { rate: 'sellRate', text: 'sell', stroke: 'stroke-primary', line: 'border-primary', dash: undefined },
] as const;

/** Round figures that enclose the rates, evenly spaced, lowest first: 22, 22.5, 23, 23.5. */
function ticksAround(rates: readonly number[]): number[] {
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const least = (high - low || high * 0.02) / 3;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  const first = Math.floor(low / step);
  const count = Math.max(1, Math.ceil(high / step - 1e-9) - first);
  return Array.from({ length: count + 1 }, (_, index) => (first + index) * step);
}

/** Both rates over at least a week, newest at the right. `history` is newest first. */
export function RateChart({ history }: { history: readonly RateHistoryItem[] }) {
  const t = useStore(MESSAGES);
  const oldestFirst = history.toReversed();
  const rates = history.flatMap(({ buyRate, sellRate }) => [buyRate, sellRate]);
  const ticks = ticksAround(rates);
  const [low = 0, second = 0] = ticks;
  const high = ticks.at(-1) ?? 0;
  const decimals = Math.max(0, -Math.floor(Math.log10(second - low) + 1e-9));
  const now = new Date().toISOString();
  const first = Date.parse(oldestFirst[0]?.createdAt ?? now);
  const from = new Date(Math.min(first, Date.parse(now) - SHORTEST_MS)).toISOString();
  const range = { fromMs: Date.parse(from), toMs: Date.parse(now), low, high };
  return (
    <figure className="px-4 pb-4 sm:px-5">
      <figcaption className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-caption text-ink2">
        {LINES.map(({ text, line }) => (
          <span key={text} className="flex items-center gap-1.5">
            <span aria-hidden className={`w-5 border-t-2 ${line}`} />
            {t[text]}
          </span>
        ))}
      </figcaption>
      <div className="flex gap-2">
        {/* The same width as the space before the dates, so that they start at the left edge of the plot. */}
        <div className="nums flex w-10 shrink-0 flex-col justify-between text-right text-caption text-ink3">
          {ticks.toReversed().map((tick) => (
            <span key={tick}>{tick.toFixed(decimals)}</span>
          ))}
        </div>
        <svg
          role="img"
          aria-label={t.label({ from: formatDay(from), to: formatDay(now) })}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-36 w-full"
        >
          {ticks.map((tick) => (
            <path
              key={tick}
              d={`M0 ${heightOf(tick, { low, high })}H${WIDTH}`}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {LINES.map(({ rate, stroke, dash }) => (
            <path
              key={rate}
              d={stepPath(
                oldestFirst.map((item) => ({ atMs: Date.parse(item.createdAt), rate: item[rate] })),
                range,
              )}
              fill="none"
              strokeWidth="2"
              strokeDasharray={dash}
              vectorEffect="non-scaling-stroke"
              className={stroke}
            />
          ))}
        </svg>
      </div>
      <div className="nums mt-1 flex justify-between pl-12 text-caption text-ink3">
        <span>{formatDay(from)}</span>
        <span>{formatDay(now)}</span>
      </div>
    </figure>
  );
}
