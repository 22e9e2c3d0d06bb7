import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { PiggyBank } from 'lucide-react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { JournalLink } from '#shared/admin/journal-link.tsx';
import { ListEnd } from '#shared/admin/list-end.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { type AdminDeposit, adminDepositsQuery } from './admin-deposits.api.ts';

const MESSAGES = i18n('admin/deposit-history', {
  title: 'Deposit history',
  date: 'Date',
  amount: 'Amount',
  reason: 'Reason',
  reference: 'Reference',
  empty: 'No deposit history found. Use the form above to make your first deposit.',
  failed: params('Error loading deposit history: {message}'),
});

export function DepositHistory() {
  const t = useStore(MESSAGES);
  const query = useQuery(adminDepositsQuery());
  const columns: Column<AdminDeposit>[] = [
    {
      key: 'date',
      header: t.date,
      cell: (row) => <Moment at={row.created_at} />,
      className: 'nums whitespace-nowrap',
    },
    {
      key: 'amount',
      header: t.amount,
      align: 'right',
      cell: (row) => formatAmount(row.amount, row.currency),
      className: 'min-w-32 font-medium whitespace-nowrap',
    },
    {
      key: 'reason',
      header: t.reason,
      cell: (row) => row.reason,
      className: 'w-full min-w-48 [overflow-wrap:anywhere]',
    },
    {
      key: 'reference',
      header: t.reference,
      cell: (row) => <Reference deposit={row} />,
      className: 'nums whitespace-nowrap text-ink2',
    },
  ];
  return (
    <Card title={t.title} isOneRow aside={<RefreshButton query={query} />}>
      <QueryBody query={query} failed={(message) => ({ title: t.failed({ message }) })}>
        {(deposits) => (
          <>
            <DataTable
              label={t.title}
              columns={columns}
              rows={deposits}
              rowKey={(row) => row.id}
              empty={<EmptyState Icon={PiggyBank} title={t.empty} />}
              card={(row) => (
                <>
                  <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                    <p className="nums font-semibold">{formatAmount(row.amount, row.currency)}</p>
                    <p className="nums text-caption text-ink3">
                      <Moment at={row.created_at} />
                    </p>
                  </div>
                  <p className="mt-0.5 text-small [overflow-wrap:anywhere]">{row.reason}</p>
                  <p className="nums mt-0.5 text-caption text-ink3">
                    <Reference deposit={row} />
                  </p>
                </>
              )}
            />
            <ListEnd list="deposits" length={deposits.length} />
          </>
        )}
      </QueryBody>
    </Card>
  );
}

/** Leads to the journal once the money has moved. */
function Reference({ deposit: { reference, transactionId } }: { deposit: AdminDeposit }) {
  if (!transactionId) return reference;
  return (
    <JournalLink id={transactionId} otherwise={reference} className="text-primary underline-offset-2 hover:underline">
      {reference}
    </JournalLink>
  );
}
