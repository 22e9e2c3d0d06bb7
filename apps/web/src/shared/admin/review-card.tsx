import { useStore } from '@nanostores/react';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { FilterSelect } from './filter-select.tsx';
import { QueryBody } from './query-body.tsx';
import { RefreshButton } from './refresh-button.tsx';
import { ShowMore } from './show-more.tsx';

const MESSAGES = i18n('admin/review-card', {
  nothingWaits: 'Nothing waits for a decision',
  emptyDetail: 'Requests appear here by their status. Choose another status to see the others.',
});

interface ReviewCardProps<Status extends string, Entry extends { id: string }> {
  /** The names of the statuses, and the texts of the card. */
  texts: Record<Status | 'title' | 'status' | 'empty' | 'loadFailed', string>;
  hint?: string;
  /** The first is that of what waits for a decision. */
  statuses: readonly Status[];
  status: Status;
  onStatus: (status: Status) => void;
  /** The entries of that status, by `reviewListQuery`. */
  query: Pick<UseQueryResult<Entry[]>, 'data' | 'error' | 'dataUpdatedAt' | 'isFetching'> & {
    refetch: () => unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  renderEntry: (entry: Entry) => ReactNode;
  /** The dialog that is open. */
  children: ReactNode;
}

/** A list of what administrators decide on, one status at a time. */
export function ReviewCard<Status extends string, Entry extends { id: string }>(props: ReviewCardProps<Status, Entry>) {
  const { texts: t, hint, statuses, status, onStatus, query, renderEntry, children } = props;
  const { nothingWaits, emptyDetail } = useStore(MESSAGES);
  const [waiting] = statuses;
  return (
    <Card title={t.title} isOneRow aside={<RefreshButton query={query} />}>
      <div className="px-4 pb-4 sm:px-5">
        {hint ? <p className="mb-3 text-small text-pretty text-ink2">{hint}</p> : null}
        <div className="flex">
          <FilterSelect
            label={t.status}
            labelClass="sr-only"
            name="status"
            value={status}
            options={statuses.map((value) => ({ value, label: t[value] }))}
            onChange={(value) => onStatus(value as Status)}
          />
        </div>
      </div>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(entries) =>
          entries.length === 0 ? (
            <div className="border-t border-line">
              {status === waiting ? (
                <EmptyState Icon={CircleCheck} title={nothingWaits} detail={emptyDetail} />
              ) : (
                <EmptyState title={t.empty} detail={emptyDetail} />
              )}
            </div>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {entries.map((entry) => (
                <Fragment key={entry.id}>{renderEntry(entry)}</Fragment>
              ))}
            </ul>
          )
        }
      </QueryBody>
      <ShowMore query={query} />
      {children}
    </Card>
  );
}
