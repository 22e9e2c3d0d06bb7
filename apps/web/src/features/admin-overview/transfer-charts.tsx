import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { TransferDay } from '@vuka/contracts/http/overview';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { DayCharts } from '#shared/admin/day-charts.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import type { Series } from '#shared/admin/stacked-chart.tsx';
import { formatDay } from '#shared/format/date.ts';
import { formatAmount, groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { walletMarks } from '#shared/ui/wallet-colour.ts';
import { overviewQuery } from './overview.api.ts';

const MESSAGES = i18n('admin/transfer-charts', {
  title: 'Transfers of the last 30 days',
  outcomes: 'Transfers per day',
  settled: 'Settled',
  failed: 'Failed',
  open: 'In progress',
  volume: params('Settled per day, sent in {currency}'),
  transfers: 'Transfers',
  nothing: 'No transfers in these 30 days',
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
            <p className="px-4 pb-6 text-small text-ink2 sm:px-5">{t.unavailable}</p>
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
    { label: t.open, fill: 'fill-under-way', dot: 'bg-under-way', values: days.map((day) => day.open), format: count },
    { label: t.failed, fill: 'fill-bad', dot: 'bg-bad', values: days.map((day) => day.failed), format: count },
  ];
  const volume = (currency: WalletCurrency): Series => ({
    label: t.volume({ currency }),
    ...walletMarks(currency),
    // Only for the height of a bar; the texts come from the decimal string.
    values: days.map((day) => Number(day.volumes[currency])),
    format: (_value, day) => formatAmount(days[day]?.volumes[currency] ?? '0', currency),
  });
  return (
    <DayCharts
      title={t.title}
      names={days.map(({ day }) => formatDay(day))}
      empty={t.nothing}
      charts={[
        { tab: t.transfers, label: t.outcomes, series: outcomes },
        ...WALLET_CURRENCIES.map((currency) => {
          const series = volume(currency);
          return { tab: currency, label: series.label, series: [series] };
        }),
      ]}
    />
  );
}
