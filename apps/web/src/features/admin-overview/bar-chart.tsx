export interface Series {
  label: string;
  /** Utility classes that colour the bars and the dot of the legend. */
  fill: string;
  dot: string;
  values: readonly number[];
  format: (value: number, index: number) => string;
}

interface BarChartProps {
  label: string;
  /** The names of the bars, in order. */
  names: readonly string[];
  /** Stacked, the first at the bottom. */
  series: readonly Series[];
}

const HEIGHT = 100;
const BAR = 8;
const STEP = 10;

/** Small bars, one per day. A table beside it has the same figures, so to a screen reader it is one image. */
export function BarChart({ label, names, series }: BarChartProps) {
  const totals = names.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(...totals);
  const top = totals.indexOf(most);
  return (
    <figure className="flex flex-col">
      <figcaption className="text-small font-medium">{label}</figcaption>
      <p className="nums mt-0.5 text-caption text-ink3">
        {most > 0 ? `${series.length === 1 ? series[0]?.format(most, top) : most} · ${names[top]}` : '0'}
      </p>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${names.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-2 h-28 w-full border-b border-line"
      >
        {names.map((name, index) => (
          <Bar key={name} name={name} index={index} series={series} scale={most > 0 ? HEIGHT / most : 0} />
        ))}
      </svg>
      <div className="nums mt-1 flex justify-between text-caption text-ink3">
        <span>{names[0]}</span>
        <span>{names.at(-1)}</span>
      </div>
      {series.length > 1 ? (
        <p className="mt-2 flex flex-wrap gap-x-4 text-caption text-ink2">
          {series.map((each) => (
            <span key={each.label} className="flex items-center gap-1.5">
              <span aria-hidden className={`size-2.5 rounded-full ${each.dot}`} />
              {each.label}
            </span>
          ))}
        </p>
      ) : null}
    </figure>
  );
}

interface BarProps {
  name: string;
  index: number;
  series: readonly Series[];
  /** Units of height per unit of the value. */
  scale: number;
}

function Bar({ name, index, series, scale }: BarProps) {
  let below = 0;
  const parts = series.map((each) => {
    const value = each.values[index] ?? 0;
    below += value;
    return { ...each, value, y: HEIGHT - below * scale, height: value * scale };
  });
  const title = [name, ...parts.map(({ label, value, format }) => `${label}: ${format(value, index)}`)].join('\n');
  return (
    <g>
      <title>{title}</title>
      <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="fill-transparent" />
      {parts.map(({ label, fill, y, height }) => (
        <rect key={label} x={index * STEP + (STEP - BAR) / 2} y={y} width={BAR} height={height} className={fill} />
      ))}
    </g>
  );
}
