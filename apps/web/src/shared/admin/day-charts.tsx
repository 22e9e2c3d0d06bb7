import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { SegmentedChoice } from '#shared/ui/segmented-choice.tsx';
import { type Series, StackedChart } from './stacked-chart.tsx';

const MESSAGES = i18n('admin/day-charts', {
  measure: 'What the chart shows',
  table: 'Show as a table',
  date: 'Date',
});

export interface DayChart {
  /** The text of its segment, which also identifies it. */
  tab: string;
  label: string;
  series: readonly Series[];
}

interface DayChartsProps {
  /** The name of the table. */
  title: string;
  /** The days, oldest first. */
  names: readonly string[];
  charts: readonly [DayChart, ...DayChart[]];
  /** Shown in a chart whose values are all zero. */
  empty: string;
}

/** One chart per measure, of which one is shown, and all their figures in a table. */
export function DayCharts({ title, names, charts, empty }: DayChartsProps) {
  const t = useStore(MESSAGES);
  const [measure, setMeasure] = useState(charts[0].tab);
  const { label, series } = charts.find(({ tab }) => tab === measure) ?? charts[0];
  return (
    <div className="px-4 pb-2 sm:px-5">
      <StackedChart label={label} names={names} series={series} empty={empty}>
        <SegmentedChoice
          legend={t.measure}
          name="measure"
          isSmall
          choices={charts.map(({ tab }) => ({ value: tab, label: tab }))}
          value={measure}
          onChange={setMeasure}
        />
      </StackedChart>
      <TableOfDays title={title} names={names} series={charts.flatMap((chart) => chart.series)} />
    </div>
  );
}

/** The same figures, newest first, for screen readers and for exact values. */
function TableOfDays({ title, names, series }: Pick<DayChartsProps, 'title' | 'names'> & Pick<DayChart, 'series'>) {
  const t = useStore(MESSAGES);
  const newestFirst = names.map((name, index) => ({ name, index })).toReversed();
  return (
    <details className="mt-1">
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-chip text-small font-semibold text-primary">
        {t.table}
      </summary>
      <section
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        className="relative mt-2 max-h-80 overflow-auto rounded-control border border-line"
      >
        <table className="nums w-full text-right text-small">
          <thead className="sticky top-0 bg-surface">
            <tr>
              <th scope="col" className="h-10 px-3 text-left text-caption font-semibold text-ink2">
                {t.date}
              </th>
              {series.map(({ label }) => (
                <th key={label} scope="col" className="px-3 text-caption font-semibold text-ink2">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {newestFirst.map(({ name, index }) => (
              <tr key={name}>
                <th scope="row" className="h-9 px-3 text-left font-normal whitespace-nowrap">
                  {name}
                </th>
                {series.map(({ label, values, format }) => (
                  <td key={label} className="px-3 whitespace-nowrap">
                    {format(values[index] ?? 0, index)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
