import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FilterField } from '#shared/admin/filter-field.tsx';
import { ListActions } from '#shared/admin/list-actions.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { ShowMore } from '#shared/admin/show-more.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { LONGEST_SEARCH, type MerchantSorting, merchantsCsv, useMerchantFilters } from './merchant-list.ts';
import { MerchantTable } from './merchant-table.tsx';
import { fetchForExport, type Merchant, merchantsQuery } from './merchants.api.ts';
import { useToggleBlock } from './use-toggle-block.ts';
import { useUnlock } from './use-unlock.ts';

const MESSAGES = i18n('admin/merchant-management', {
  search: 'Search merchants',
  searchFor: 'Name, email, phone or ID',
  exportFailed: 'Failed to export the merchants',
  found: count({ one: '{count} merchant', many: '{count} merchants' }),
  failed: params('Error loading merchants: {message}'),
});

export function MerchantManagement() {
  const t = useStore(MESSAGES);
  const { filters, typed, sorting, search, sortBy } = useMerchantFilters();
  const query = useInfiniteQuery(merchantsQuery(filters));
  const total = query.data?.total;
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-4 sm:px-5">
        <FilterField
          label={t.search}
          placeholder={t.searchFor}
          maxLength={LONGEST_SEARCH}
          className="w-full max-w-96"
          value={typed}
          onChange={search}
        />
        {total === undefined ? null : (
          <p role="status" className="nums text-small text-ink2">
            {t.found(total)}
          </p>
        )}
        <div className="ml-auto">
          <ListActions
            query={query}
            file="merchants.csv"
            failed={t.exportFailed}
            isEmpty={!query.data?.merchants.length}
            makeCsv={async () => merchantsCsv(await fetchForExport(filters))}
          />
        </div>
      </div>
      <QueryBody query={query} failed={(message) => ({ title: t.failed({ message }) })}>
        {({ merchants }) => (
          <div aria-busy={query.isPlaceholderData} className="transition-opacity aria-busy:opacity-60">
            <Results merchants={merchants} isSearch={filters.search !== ''} sorting={sorting} onSort={sortBy} />
          </div>
        )}
      </QueryBody>
      <ShowMore query={query} />
    </Card>
  );
}

interface ResultsProps {
  merchants: readonly Merchant[];
  isSearch: boolean;
  sorting: MerchantSorting;
  onSort: (sorting: MerchantSorting) => void;
}

function Results({ merchants, isSearch, sorting, onSort }: ResultsProps) {
  const [asked, setAsked] = useState<Merchant>();
  const toggle = useToggleBlock();
  const unlock = useUnlock();
  return (
    <>
      <MerchantTable
        merchants={merchants}
        isSearch={isSearch}
        busyId={toggle.isPending ? toggle.variables.id : unlock.isPending ? unlock.variables.id : undefined}
        sorting={sorting}
        onSort={onSort}
        onToggle={setAsked}
        onUnlock={(merchant) => unlock.mutate(merchant)}
      />
      {asked ? (
        <BlockDialog
          merchant={asked}
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined);
            toggle.mutate(asked);
          }}
        />
      ) : null}
    </>
  );
}
