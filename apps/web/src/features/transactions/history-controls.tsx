import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { TransactionFilters } from '@vuka/contracts/http/transaction-filters';
import { SlidersHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { useMediaQuery, WIDE } from '#shared/use-media-query.ts';
import { FILTER_MESSAGES, FilterFields } from './filter-fields.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import type { FilterName, useHistoryFilters } from './history-filters.ts';
import { SearchField } from './search-field.tsx';
import { directionText } from './transaction-view.ts';

const MESSAGES = i18n('history-controls', {
  filter: 'Filter',
  active: 'Active filters',
  remove: params('Remove filter: {filter}'),
  fromDay: params('From {day}'),
  toDay: params('To {day}'),
});

type Filtering = ReturnType<typeof useHistoryFilters>;

function useChips(filters: TransactionFilters): [FilterName, string][] {
  const t = useStore(MESSAGES);
  const words = useStore(FILTER_MESSAGES);
  const { status, direction, from, to } = filters;
  const chips: [FilterName, string][] = [];
  if (status) chips.push(['status', words[status]]);
  if (direction) chips.push(['direction', directionText(direction, '', '')]);
  if (from) chips.push(['from', t.fromDay({ day: formatDay(from) })]);
  if (to) chips.push(['to', t.toDay({ day: formatDay(to) })]);
  return chips;
}

function Chips({ filters, change }: Pick<Filtering, 'filters' | 'change'>) {
  const t = useStore(MESSAGES);
  const chips = useChips(filters);
  if (chips.length === 0) return null;
  return (
    <ul aria-label={t.active} className="mt-3 flex flex-wrap gap-2">
      {chips.map(([name, label]) => (
        <li key={name}>
          <button
            type="button"
            aria-label={t.remove({ filter: label })}
            className="nums flex min-h-11 items-center gap-1 rounded-full bg-primary-soft pr-2 pl-3 text-small font-medium text-primary-ink hover:bg-line"
            onClick={() => change({ [name]: '' })}
          >
            {label}
            <X aria-hidden className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Search and filters: in a row on a wide screen, in a sheet on a phone. */
export function HistoryControls({ filters, change, clear }: Filtering) {
  const t = useStore(MESSAGES);
  const isWide = useMediaQuery(WIDE);
  const [isFiltering, setIsFiltering] = useState(false);
  // While the user types, pauses do not add history entries.
  const search = (q: string): void => change({ q }, { replace: Boolean(q && filters.q) });
  return (
    <div className="mb-4">
      <div className="flex flex-wrap items-end gap-3">
        <SearchField
          value={filters.q ?? ''}
          onSearch={search}
          onClearFilters={isWide && Object.keys(filters).length > 0 ? clear : undefined}
        />
        {isWide ? (
          <div className="grid grow grid-cols-4 gap-3 lg:grow-0 lg:grid-cols-[repeat(4,10.5rem)]">
            <FilterFields filters={filters} onChange={change} />
          </div>
        ) : (
          <button type="button" className={buttonClass('secondary', 'px-4')} onClick={() => setIsFiltering(true)}>
            <SlidersHorizontal aria-hidden className="size-5" />
            {t.filter}
          </button>
        )}
      </div>
      {isWide ? null : (
        <>
          {isFiltering ? (
            <FilterSheet filters={filters} onApply={change} onClose={() => setIsFiltering(false)} />
          ) : null}
          <Chips filters={filters} change={change} />
        </>
      )}
    </div>
  );
}
