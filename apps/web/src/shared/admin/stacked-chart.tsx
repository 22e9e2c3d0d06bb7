import { type PointerEvent, type ReactNode, useState } from 'react';
import { scaleTicks, shortNumber } from '#shared/admin/chart-scale.ts';

export interface Series {
  label: string;
  /** Utility classes that colour the bars and the dot of the legend. */
  fill: string;
  dot: string;
  values: readonly number[];
  format: (value: number, index: number) => string;
}

interface StackedChartProps {
  label: string;
  /** The names of the bars, in order. */
  names: readonly string[];
  /** Stacked, the first at the bottom. */
  series: readonly Series[];
  /** Shown if every value is zero. */
  empty: string;
  /** Chooses what the chart shows; in the row of the legend. */
  children: ReactNode;
}

const BAR = 7;
const STEP = 10;
const HEIGHT = 100;

/** Bars with a scale, one per day, and the figures of the day under the pointer. A table has the same figures. */
export function StackedChart({ label, names, series, empty, children }: StackedChartProps) {
  const [pointed, setPointed] = useState<number>();
  const totals = names.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const ticks = scaleTicks(Math.max(...totals));
  const top = ticks.at(-1) ?? 0;
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / (width || 1)) * names.length);
    setPointed(Math.min(names.length - 1, Math.max(0, index)));
  };
  return (
    <figure>
      <div className="flex flex-wrap-reverse items-center justify-between gap-x-4 gap-y-2">
        <Legend series={series} />
        <div className="w-full max-w-90">{children}</div>
      </div>
      <div className="mt-4 flex">
        <Scale ticks={ticks} />
        <div
          className="relative h-52 min-w-0 flex-1"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          <Gridlines ticks={ticks} />
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${names.length * STEP} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            {names.map((name, index) => (
              <Bar
                key={name}
                index={index}
                series={series}
                scale={top > 0 ? HEIGHT / top : 0}
                isPointed={index === pointed}
              />
            ))}
          </svg>
          {top === 0 ? (
            <p className="absolute inset-0 grid place-content-center text-small text-ink2">{empty}</p>
          ) : null}
          {pointed === undefined || top === 0 ? null : (
            <Tip name={names[pointed] ?? ''} index={pointed} count={names.length} series={series} />
          )}
        </div>
      </div>
      <div className="nums mt-1.5 flex justify-between pl-12 text-caption text-ink3">
        <span>{names[0]}</span>
        <span className="max-sm:hidden">{names[Math.floor(names.length / 2)]}</span>
        <span>{names.at(-1)}</span>
      </div>
    </figure>
  );
}

/** As a share of the scale, from the bottom. The server's policy allows styles that are set by a script. */
const placeOf = (tick: number, ticks: readonly number[]) => ({ bottom: `${(tick / (ticks.at(-1) || 1)) * 100}%` });

function Scale({ ticks }: { ticks: readonly number[] }) {
  return (
    <div aria-hidden className="nums relative w-12 shrink-0 text-caption text-ink3">
      {ticks.map((tick) => (
        <span key={tick} className="absolute right-2.5 translate-y-1/2" style={placeOf(tick, ticks)}>
          {shortNumber(tick)}
        </span>
      ))}
    </div>
  );
}

function Gridlines({ ticks }: { ticks: readonly number[] }) {
  return ticks.map((tick) => (
    <div key={tick} aria-hidden className="absolute inset-x-0 border-t border-line" style={placeOf(tick, ticks)} />
  ));
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-caption text-ink2">
      {series.map(({ label, dot }) => (
        <span key={label} className="flex items-center gap-1.5">
          <span aria-hidden className={`size-2.5 rounded-full ${dot}`} />
          {label}
        </span>
      ))}
    </p>
  );
}

interface BarProps {
  index: number;
  series: readonly Series[];
  /** Units of height per unit of the value. */
  scale: number;
  isPointed: boolean;
}

function Bar({ index, series, scale, isPointed }: BarProps) {
  let below = 0;
  return (
    <g>
      {isPointed ? <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="fill-sunken" /> : null}
      {series.map(({ label, fill, values }) => {
        const height = (values[index] ?? 0) * scale;
        below += height;
        const x = index * STEP + (STEP - BAR) / 2;
        return <rect key={label} x={x} y={HEIGHT - below} width={BAR} height={height} className={fill} />;
      })}
    </g>
  );
}

interface TipProps {
  name: string;
  index: number;
  count: number;
  series: readonly Series[];
}

/** Beside the bar, on the side with more room, so that it never leaves the chart. */
function Tip({ name, index, count, series }: TipProps) {
  const isRight = index < count / 2;
  const style = isRight ? { left: `${((index + 1) / count) * 100}%` } : { right: `${(1 - index / count) * 100}%` };
  return (
    <div
      className="nums pointer-events-none absolute top-2 z-10 mx-2 rounded-control bg-surface px-3 py-2 text-caption whitespace-nowrap shadow-2"
      style={style}
    >
      <p className="font-semibold">{name}</p>
      {series.map(({ label, dot, values, format }) => (
        <p key={label} className="flex items-center gap-1.5 text-ink2">
          <span aria-hidden className={`size-2 rounded-full ${dot}`} />
          {label}
          <span className="ml-auto pl-3 font-medium text-ink">{format(values[index] ?? 0, index)}</span>
        </p>
      ))}
    </div>
  );
}
