import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { useMediaQuery, WIDE } from '#shared/use-media-query.ts';
import { TransactionList, TransactionListSkeleton } from './transaction-list.tsx';

const MESSAGES = i18n('recent-transactions-card', {
  title: 'Recent Transactions',
  seeAll: 'See All Transactions',
  failed: 'Transactions could not be loaded',
});

const RECENT_LIMIT = 5;

export function RecentTransactionsCard() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(transactionsQuery('dashboard'));
  // At the top, where a laptop shows it without scrolling.
  const isWide = useMediaQuery(WIDE);
  const isLoading = !data && !error;
  const hasMore = data !== undefined && data.length > RECENT_LIMIT;
  return (
    <Card
      title={t.title}
      className="peer overflow-hidden"
      isBusy={isLoading}
      aside={
        isWide && hasMore ? (
          <Link to={PATHS.transactions} className={buttonClass('quiet', '-mr-3', 'small')}>
            {t.seeAll}
            <ArrowRight aria-hidden className="size-4.5" />
          </Link>
        ) : null
      }
    >
      {data ? (
        <div className={data.length === 0 ? '-mt-3' : ''}>
          <TransactionList items={data.slice(0, RECENT_LIMIT)} />
        </div>
      ) : null}
      {!data && error ? (
        <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {isLoading ? <TransactionListSkeleton rows={RECENT_LIMIT} /> : null}
      {hasMore && !isWide ? (
        <Link
          to={PATHS.transactions}
          className="flex min-h-13 items-center justify-center gap-1.5 border-t border-line font-semibold text-primary -outline-offset-3 hover:bg-sunken"
        >
          {t.seeAll}
          <ArrowRight aria-hidden className="size-4.5" />
        </Link>
      ) : null}
    </Card>
  );
}
