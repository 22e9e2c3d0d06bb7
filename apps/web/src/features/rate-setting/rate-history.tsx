import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { RateHistoryItem } from '@vuka/contracts/http/rates';
import { RATED } from '@vuka/money/directions';
import { TrendingUp } from 'lucide-react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { ListEnd } from '#shared/admin/list-end.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { RateChart } from './rate-chart.tsx';
import { profitMargin } from './rate-input.ts';
import { rateHistoryQuery } from './rate-setting.api.ts';

const MESSAGES = i18n('admin/rate-history', {
  title: 'Rate history',
  date: 'Date',
  buyRate: 'Buy Rate',
  markup: 'Markup',
  sellRate: 'Sell Rate',
  margin: 'Profit Margin',
  updatedBy: 'Updated By',
  empty: 'No rate history available',
  emptyDetail: 'The first rate that is set appears here, and every change of it.',
  unit: params('Rates in {target} for 1 {source}'),
  failed: 'The rate history could not be loaded',
});

/** With two decimals, like the margin beside it. */
const markupOf = ({ markup }: RateHistoryItem): string => `${markup.toFixed(2)}%`;

export function RateHistory() {
  const t = useStore(MESSAGES);
  const query = useQuery(rateHistoryQuery());
  const columns: Column<RateHistoryItem>[] = [
    {
      key: 'date',
      header: t.date,
      cell: (row) => <Moment at={row.createdAt} />,
      className: 'nums whitespace-nowrap',
    },
    { key: 'buyRate', header: t.buyRate, align: 'right', cell: (row) => row.buyRate.toFixed(3) },
    { key: 'markup', header: t.markup, align: 'right', cell: markupOf },
    {
      key: 'sellRate',
      header: t.sellRate,
      align: 'right',
      cell: (row) => row.sellRate.toFixed(3),
      className: 'font-medium',
    },
    { key: 'margin', header: t.margin, align: 'right', cell: profitMargin },
    { key: 'updatedBy', header: t.updatedBy, cell: (row) => row.updatedByName, className: 'whitespace-nowrap' },
  ];
  return (
    <Card title={t.title} aside={<RefreshButton query={query} />}>
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {(history) => (
          <>
            {history.length > 0 ? (
              <>
                <p className="px-4 pb-3 text-caption text-ink3 sm:px-5">{t.unit(RATED)}</p>
                <RateChart history={history} />
              </>
            ) : null}
            <DataTable
              label={t.title}
              columns={columns}
              rows={history}
              rowKey={(row) => row.id}
              empty={<EmptyState Icon={TrendingUp} title={t.empty} detail={t.emptyDetail} />}
              card={(row) => <RateCard row={row} />}
            />
            <ListEnd list="rateHistory" length={history.length} />
          </>
        )}
      </QueryBody>
    </Card>
  );
}

function RateCard({ row }: { row: RateHistoryItem }) {
  const t = useStore(MESSAGES);
  const facts = [
    [t.buyRate, row.buyRate.toFixed(3)],
    [t.markup, markupOf(row)],
    [t.margin, profitMargin(row)],
  ];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="nums font-semibold">
          {t.sellRate} {row.sellRate.toFixed(3)}
        </p>
        <p className="nums text-caption text-ink3">
          <Moment at={row.createdAt} />
        </p>
      </div>
      <dl className="nums mt-1 flex flex-wrap gap-x-4 text-small">
        {facts.map(([label, value]) => (
          <div key={label} className="flex gap-1.5">
            <dt className="text-ink3">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-0.5 text-caption text-ink3">{row.updatedByName}</p>
    </>
  );
}
