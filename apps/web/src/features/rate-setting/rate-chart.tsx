import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { RateHistoryItem } from '@vuka/contracts/http/rates';
import { formatDay } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/rate-chart', {
  label: params('Buy and sell rate from {from} to {to}. The table below has every figure.'),
  buy: 'Buy rate',
  sell: 'Sell rate',
});

const SHORTEST_MS = 30 * 86_400_000;
const WIDTH = 100;
const HEIGHT = 40;
/** Keeps the lines away from the edges. */
const MARGIN = 2;

/** A step line: each rate lasts until the next one was set, the last one until now. */
function stepPath(
  points: readonly { atMs: number; rate: number }[],
  range: { fromMs: number; toMs: number; low: number; high: number },
): string {
  const x = (atMs: number): number => ((atMs - range.fromMs) / (range.toMs - range.fromMs || 1)) * WIDTH;
  const y = (rate: number): number =>
    MARGIN + (1 - (rate - range.low) / (range.high - range.low || 1)) * (HEIGHT - 2 * MARGIN);
  const steps = points.map(({ atMs, rate }, index) => {
    const at = x(atMs).toFixed(2);
    const height = y(rate).toFixed(2);
    return index === 0 ? `M${at} ${height}` : `H${at}V${height}`;
  });
  return `${steps.join('')}H${WIDTH}`;
}

const LINES = [
  { rate: 'buyRate', text: 'buy', stroke: 'stroke-ink3', line: 'border-dashed border-ink3', dash: '4 3' },
  { rate: 'sellRate', text: 'sell', stroke: 'stroke-primary', line: 'border-primary', dash: undefined },
] as const;

/** One rate is a flat line in the middle. */
function withRoom(low: number, high: number): [number, number] {
  return low === high ? [low * 0.99, high * 1.01] : [low, high];
}

/** Both rates over at least thirty days, newest at the right. `history` is newest first. */
export function RateChart({ history }: { history: readonly RateHistoryItem[] }) {
  const t = useStore(MESSAGES);
  const oldestFirst = history.toReversed();
  const rates = history.flatMap(({ buyRate, sellRate }) => [buyRate, sellRate]);
  const [low, high] = withRoom(Math.min(...rates), Math.max(...rates));
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
        <div className="nums flex flex-col justify-between text-right text-caption text-ink3">
          <span>{high.toFixed(2)}</span>
          <span>{((low + high) / 2).toFixed(2)}</span>
          <span>{low.toFixed(2)}</span>
        </div>
        <svg
          role="img"
          aria-label={t.label({ from: formatDay(from), to: formatDay(now) })}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-36 w-full rounded-chip bg-sunken"
        >
          {[MARGIN, HEIGHT / 2, HEIGHT - MARGIN].map((y) => (
            <path key={y} d={`M0 ${y}H${WIDTH}`} vectorEffect="non-scaling-stroke" className="stroke-line" />
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
