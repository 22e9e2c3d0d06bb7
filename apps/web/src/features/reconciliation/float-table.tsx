import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { PayoutFloat } from '@vuka/contracts/http/reconciliation';
import { CircleCheck, Scale } from 'lucide-react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';

const MESSAGES = i18n('admin/floats', {
  label: 'Float with the provider',
  empty: 'Not compared yet',
  emptyDetail: 'The provider is asked for its balances every 10 minutes.',
  currency: 'Currency',
  booked: 'Our books',
  underWay: 'In progress',
  provider: 'The provider',
  difference: 'Difference',
  agrees: 'No difference',
  compared: 'Compared',
  since: params('since {when}'),
});

type Texts = ReturnType<typeof MESSAGES.get>;

function Difference({ float, t }: { float: PayoutFloat; t: Texts }) {
  if (float.differsSince === null) {
    return (
      <Badge tone="ok" Icon={CircleCheck}>
        {t.agrees}
      </Badge>
    );
  }
  return (
    <>
      <span className="nums font-semibold whitespace-nowrap text-bad-ink">
        {formatExactAmount(float.difference, float.currency)}
      </span>
      <span className="block text-caption text-ink3">{t.since({ when: formatDayAndTime(float.differsSince) })}</span>
    </>
  );
}

function columnsOf(t: Texts): Column<PayoutFloat>[] {
  const amount = (key: 'booked' | 'underWay' | 'providerBalance', header: string): Column<PayoutFloat> => ({
    key,
    header,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: (float) => formatExactAmount(float[key], float.currency),
  });
  return [
    { key: 'currency', header: t.currency, cell: ({ currency }) => <span className="font-medium">{currency}</span> },
    amount('booked', t.booked),
    amount('underWay', t.underWay),
    amount('providerBalance', t.provider),
    { key: 'difference', header: t.difference, align: 'right', cell: (float) => <Difference float={float} t={t} /> },
    {
      key: 'compared',
      header: t.compared,
      className: 'pl-6',
      cell: ({ comparedAt }) => <Moment at={comparedAt} />,
    },
  ];
}

function FloatCard({ float, t }: { float: PayoutFloat; t: Texts }) {
  const { currency } = float;
  const rows: [string, string][] = [
    [t.booked, formatExactAmount(float.booked, currency)],
    [t.underWay, formatExactAmount(float.underWay, currency)],
    [t.provider, formatExactAmount(float.providerBalance, currency)],
  ];
  return (
    <div className="grid gap-1 text-small">
      <p className="flex flex-wrap items-baseline justify-between gap-3">
        <span className="font-semibold">{currency}</span>
        <span className="text-right">
          <Difference float={float} t={t} />
        </span>
      </p>
      {rows.map(([label, text]) => (
        <p key={label} className="flex flex-wrap justify-between gap-3 text-ink2">
          <span>{label}</span>
          <span className="nums">{text}</span>
        </p>
      ))}
      <p className="text-caption text-ink3">
        <Moment at={float.comparedAt} />
      </p>
    </div>
  );
}

/** The operator's money with the provider, by our books and by the provider. */
export function FloatTable({ floats }: { floats: readonly PayoutFloat[] }) {
  const t = useStore(MESSAGES);
  return (
    <DataTable
      label={t.label}
      columns={columnsOf(t)}
      rows={floats}
      rowKey={({ currency }) => currency}
      card={(float) => <FloatCard float={float} t={t} />}
      empty={<EmptyState Icon={Scale} title={t.empty} detail={t.emptyDetail} />}
    />
  );
}
