import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { TransferDay } from '@vuka/contracts/http/overview';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { formatDay } from '#shared/format/date.ts';
import { formatAmount, groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { BarChart, type Series } from './bar-chart.tsx';
import { overviewQuery } from './overview.api.ts';

const MESSAGES = i18n('admin/transfer-charts', {
  title: 'Transfers of the last 30 days',
  outcomes: 'Transfers per day',
  settled: 'Settled',
  failed: 'Failed',
  open: 'In progress',
  volume: params('Settled per day, sent in {currency}'),
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

function Charts({ days }: { days: readonly TransferDay[] }) {
  const t = useStore(MESSAGES);
  const outcomes: Series[] = [
    { label: t.settled, fill: 'fill-ok', dot: 'bg-ok', values: days.map((day) => day.settled), format: count },
    { label: t.failed, fill: 'fill-bad', dot: 'bg-bad', values: days.map((day) => day.failed), format: count },
    { label: t.open, fill: 'fill-field', dot: 'bg-field', values: days.map((day) => day.open), format: count },
  ];
  const volume = (currency: WalletCurrency): Series => ({
    label: t.volume({ currency }),
    fill: 'fill-primary',
    dot: 'bg-primary',
    // Only for the height of a bar; the texts come from the decimal string.
    values: days.map((day) => Number(day.volumes[currency])),
    format: (_value, index) => formatAmount(days[index]?.volumes[currency] ?? '0', currency),
  });
  const names = days.map(({ day }) => formatDay(day));
  const charts = [
    { label: t.outcomes, series: outcomes },
    ...WALLET_CURRENCIES.map(volume).map((series) => ({ label: series.label, series: [series] })),
  ];
  return (
    <div className="px-4 pb-5 sm:px-5">
      <div className="grid gap-6 lg:grid-cols-3">
        {charts.map((chart) => (
          <BarChart key={chart.label} {...chart} names={names} />
        ))}
      </div>
      <TableOfDays names={names} series={charts.flatMap((chart) => chart.series)} />
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
