import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { TransferDay } from '@vuka/contracts/http/overview';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { useState } from 'react';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { formatDay } from '#shared/format/date.ts';
import { formatAmount, groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { SegmentedChoice } from '#shared/ui/segmented-choice.tsx';
import { overviewQuery } from './overview.api.ts';
import { type Series, StackedChart } from './stacked-chart.tsx';

const MESSAGES = i18n('admin/transfer-charts', {
  title: 'Transfers of the last 30 days',
  outcomes: 'Transfers per day',
  settled: 'Settled',
  failed: 'Failed',
  open: 'In progress',
  volume: params('Settled per day, sent in {currency}'),
  measure: 'What the chart shows',
  transfers: 'Transfers',
  nothing: 'No transfers in these 30 days',
  table: 'Show as a table',
  date: 'Date',
  failedToLoad: 'The figures could not be loaded',
  unavailable: 'The figures are not available at the moment',
});

export function TransferCharts() {
  const t = useStore(MESSAGES);
  const query = useQuery(overviewQuery());
  return (
    <Card title={t.title}>
      <QueryBody query={query} failed={(detail) => ({ title: t.failedToLoad, detail })}>
        {({ transfers }) =>
          transfers ? (
            <Charts days={transfers.days} />
          ) : (
            <p className="px-5 pb-6 text-small text-ink2">{t.unavailable}</p>
          )
        }
      </QueryBody>
    </Card>
  );
}

const count = (value: number): string => groupDigits(String(value));

const FILLS = [
  { fill: 'fill-chart-1', dot: 'bg-chart-1' },
  { fill: 'fill-chart-2', dot: 'bg-chart-2' },
] as const;

function Charts({ days }: { days: readonly TransferDay[] }) {
  const t = useStore(MESSAGES);
  const [measure, setMeasure] = useState('transfers');
  const outcomes: Series[] = [
    { label: t.settled, fill: 'fill-ok', dot: 'bg-ok', values: days.map((day) => day.settled), format: count },
    { label: t.open, fill: 'fill-under-way', dot: 'bg-under-way', values: days.map((day) => day.open), format: count },
    { label: t.failed, fill: 'fill-bad', dot: 'bg-bad', values: days.map((day) => day.failed), format: count },
  ];
  const volume = (currency: WalletCurrency, index: number): Series => ({
    label: t.volume({ currency }),
    ...(FILLS[index % FILLS.length] ?? FILLS[0]),
    // Only for the height of a bar; the texts come from the decimal string.
    values: days.map((day) => Number(day.volumes[currency])),
    format: (_value, day) => formatAmount(days[day]?.volumes[currency] ?? '0', currency),
  });
  const names = days.map(({ day }) => formatDay(day));
  const charts = [
    { measure: 'transfers', tab: t.transfers, label: t.outcomes, series: outcomes },
    ...WALLET_CURRENCIES.map((currency, index) => {
      const series = volume(currency, index);
      return { measure: currency as string, tab: currency as string, label: series.label, series: [series] };
    }),
  ];
  const chart = charts.find((each) => each.measure === measure) ?? charts[0];
  return (
    <div className="px-4 pb-5 sm:px-5">
      <div className="mb-4 max-w-90">
        <SegmentedChoice
          legend={t.measure}
          name="measure"
          isSmall
          choices={charts.map((each) => ({ value: each.measure, label: each.tab }))}
          value={measure}
          onChange={setMeasure}
        />
      </div>
      {chart ? <StackedChart label={chart.label} names={names} series={chart.series} empty={t.nothing} /> : null}
      <TableOfDays names={names} series={charts.flatMap(({ series }) => series)} />
    </div>
  );
}

/** The same figures, newest first, for screen readers and for exact values. */
function TableOfDays({ names, series }: { names: readonly string[]; series: readonly Series[] }) {
  const t = useStore(MESSAGES);
  const newestFirst = names.map((name, index) => ({ name, index })).toReversed();
  return (
    <details className="mt-4">
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-chip text-small font-semibold text-primary">
        {t.table}
      </summary>
      <section
        aria-label={t.title}
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
