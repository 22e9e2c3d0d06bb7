import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { FilterField } from '#shared/admin/filter-field.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { filterById, stuckTransactionsQuery } from './recovery.api.ts';
import { StuckTable } from './stuck-table.tsx';

const MESSAGES = i18n('admin/stuck-transactions', {
  title: 'Stuck transactions',
  filter: 'Filter by transaction ID',
  errorTitle: 'Error Loading Transactions',
  errorDetail: 'Failed to load stuck transactions',
  emptyTitle: 'No Stuck Transactions',
  emptyDetail: 'All transactions appear to be processing normally',
  noMatch: 'No transaction ID contains this text',
});

export function StuckTransactions() {
  const t = useStore(MESSAGES);
  const [filter, setFilter] = useState('');
  const query = useStuck();
  return (
    <Card title={t.title} isOneRow aside={<RefreshButton query={query} />}>
      <div className="px-4 pb-4 sm:px-5">
        <FilterField label={t.filter} className="w-full max-w-96" value={filter} onChange={setFilter} />
      </div>
      <Content filter={filter} query={query} />
    </Card>
  );
}

function Content({ filter, query }: { filter: string; query: ReturnType<typeof useStuck> }) {
  const t = useStore(MESSAGES);
  const { data, isPending, refetch } = query;
  if (isPending) return <PageSpinner />;
  if (!data) return <LoadError title={t.errorTitle} detail={t.errorDetail} onRetry={() => void refetch()} />;
  if (data.length === 0) {
    return (
      <div className="border-t border-line">
        <EmptyState Icon={CircleCheck} title={t.emptyTitle} detail={t.emptyDetail} />
      </div>
    );
  }
  return <StuckTable items={filterById(data, filter)} empty={t.noMatch} />;
}

function useStuck() {
  return useQuery(stuckTransactionsQuery());
}
