import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '#shared/admin/csv.ts';
import type { Sort } from '#shared/admin/data-table.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { merchantsCsv, type SortKey, searchMerchants, sortMerchants } from './merchant-list.ts';
import { MerchantTable } from './merchant-table.tsx';
import { type Merchant, merchantsQuery } from './merchants.api.ts';
import { useToggleBlock } from './use-toggle-block.ts';
import { useUnlock } from './use-unlock.ts';

const MESSAGES = i18n('admin/merchant-management', {
  title: 'Merchants',
  search: 'Search merchants',
  searchHint: 'Name, email, phone, country or merchant ID',
  export: 'Export',
  found: count({ one: '{count} merchant', many: '{count} merchants' }),
  more: 'Show more',
  failed: params('Error loading merchants: {message}'),
});

/** Rows shown at first, and added by each press of the button. */
const STEP = 100;

export function MerchantManagement() {
  const t = useStore(MESSAGES);
  const query = useQuery(merchantsQuery());
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<Sort & { key: SortKey }>({ key: 'createdAt', isDescending: true });
  const found = sortMerchants(searchMerchants(query.data ?? [], typed), sort.key, sort.isDescending);
  return (
    <Card
      title={t.title}
      aside={
        <div className="-mx-3 flex flex-wrap items-center">
          <RefreshButton query={query} />
          <Button
            variant="quiet"
            size="small"
            disabled={found.length === 0}
            onClick={() => downloadCsv('merchants.csv', merchantsCsv(found))}
          >
            <Download aria-hidden className="size-5" />
            {t.export}
          </Button>
        </div>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 px-4 pt-1 pb-4 sm:px-5">
        <TextField
          label={t.search}
          hint={t.searchHint}
          type="search"
          autoComplete="off"
          className="w-full max-w-96"
          value={typed}
          onChange={setTyped}
        />
        {query.data ? (
          <p role="status" className="nums text-small text-ink2">
            {t.found(found.length)}
          </p>
        ) : null}
      </div>
      <QueryBody query={query} failed={(message) => ({ title: t.failed({ message }) })}>
        {() => (
          <Results
            key={typed}
            found={found}
            sort={sort}
            onSort={(key) => setSort({ key, isDescending: sort.key === key && !sort.isDescending })}
          />
        )}
      </QueryBody>
    </Card>
  );
}

interface ResultsProps {
  found: readonly Merchant[];
  sort: Sort;
  onSort: (key: SortKey) => void;
}

function Results({ found, sort, onSort }: ResultsProps) {
  const t = useStore(MESSAGES);
  const [limit, setLimit] = useState(STEP);
  const [asked, setAsked] = useState<Merchant>();
  const toggle = useToggleBlock();
  const unlock = useUnlock();
  return (
    <>
      <MerchantTable
        merchants={found.slice(0, limit)}
        busyId={toggle.isPending ? toggle.variables.id : unlock.isPending ? unlock.variables.id : undefined}
        sort={sort}
        onSort={onSort}
        onToggle={setAsked}
        onUnlock={(merchant) => unlock.mutate(merchant)}
      />
      {found.length > limit ? (
        <div className="border-t border-line p-3 text-center">
          <Button variant="quiet" onClick={() => setLimit(limit + STEP)}>
            {t.more}
          </Button>
        </div>
      ) : null}
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
