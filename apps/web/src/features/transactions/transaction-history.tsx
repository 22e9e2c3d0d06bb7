import { useStore } from '@nanostores/react';
import { SearchX } from 'lucide-react';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { FILTER_MESSAGES } from './filter-fields.tsx';
import { HistoryControls } from './history-controls.tsx';
import { TransactionList, TransactionListSkeleton } from './transaction-list.tsx';
import type { HistoryView } from './use-history.ts';

const MESSAGES = i18n('transaction-history', {
  failed: 'Transactions could not be loaded',
  stale: 'The list could not be updated.',
  retry: 'Try again',
  more: 'Show more',
  nothing: 'No matches',
  nothingHint: 'Try another search, or fewer filters.',
  searchHint: 'Search for a transaction ID, a phone number or an amount.',
});

function NothingMatches({ isUnsearchable, onClear }: { isUnsearchable: boolean; onClear: () => void }) {
  const t = useStore(MESSAGES);
  const words = useStore(FILTER_MESSAGES);
  return (
    <div role="status">
      <EmptyState
        Icon={SearchX}
        title={t.nothing}
        detail={isUnsearchable ? t.searchHint : t.nothingHint}
        action={
          <Button variant="secondary" onClick={onClear}>
            {words.clear}
          </Button>
        }
      />
    </div>
  );
}

/** All transfers, newest first, by the filters in the address. */
export function TransactionHistory(history: HistoryView) {
  return (
    <>
      {history.isEmpty ? null : <HistoryControls {...history.filtering} />}
      <Results {...history} />
    </>
  );
}

function Results({ filtering, list, isFiltered }: HistoryView) {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = list;
  if (!data) {
    return (
      <Card className="overflow-hidden">
        {error ? (
          <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
        ) : (
          <TransactionListSkeleton rows={8} />
        )}
      </Card>
    );
  }
  const items = data.pages.flatMap((page) => page.items);
  return (
    <>
      {error ? <StaleNotice onRetry={() => void refetch()} /> : null}
      <div aria-busy={list.isPlaceholderData} className="transition-opacity aria-busy:opacity-60">
        <Card className="overflow-hidden">
          {items.length === 0 && isFiltered ? (
            <NothingMatches isUnsearchable={data.pages[0]?.isUnsearchable ?? false} onClear={filtering.clear} />
          ) : (
            <TransactionList items={items} />
          )}
        </Card>
      </div>
      {list.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" isPending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function StaleNotice({ onRetry }: { onRetry: () => void }) {
  const t = useStore(MESSAGES);
  return (
    <div className="mb-3">
      <Notice tone="warn" role="status">
        <span className="flex flex-wrap items-center justify-between gap-x-4">
          {t.stale}
          <button type="button" className="min-h-6 font-semibold underline underline-offset-2" onClick={onRetry}>
            {t.retry}
          </button>
        </span>
      </Notice>
    </div>
  );
}
