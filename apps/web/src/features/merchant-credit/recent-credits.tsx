import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { RecentCredits as Answer } from '@vuka/contracts/http/credits';
import { HandCoins } from 'lucide-react';
import { JournalLink } from '#shared/admin/journal-link.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { callApi } from '#shared/api-client.ts';
import { formatAmount } from '#shared/format/money.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { momentText } from '#shared/ui/moment.tsx';
import { LARGE_CREDITS_KEY } from './large-credits.api.ts';

const MESSAGES = i18n('admin/recent-credits', {
  title: 'Latest credits',
  empty: 'No wallet has been credited yet',
  emptyDetail: 'Each credit appears here, with its transaction.',
  failed: 'The latest credits could not be loaded',
  madeBy: params('{time}, by {name}'),
  moving: 'On its way',
  transaction: 'Transaction',
  transactionOf: params('Transaction of {amount} to {name}'),
});

type Credit = Answer['credits'][number];

/** Keyed under the large credits, so that a credit or a decision brings both up to date. */
const recentCreditsQuery = () =>
  queryOptions({
    queryKey: [...LARGE_CREDITS_KEY, 'recent'],
    queryFn: ({ signal }) => callApi('/api/admin/credits/recent', Answer, { signal }),
    select: ({ credits }) => credits,
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: 15_000,
    meta: { silent: true },
  });

/** The newest credits, each with the way to its transaction. */
export function RecentCredits() {
  const t = useStore(MESSAGES);
  const query = useQuery(recentCreditsQuery());
  return (
    <Card title={t.title}>
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {(credits) =>
          credits.length === 0 ? (
            <div className="border-t border-line">
              <EmptyState Icon={HandCoins} title={t.empty} detail={t.emptyDetail} />
            </div>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {credits.map((credit) => (
                <Row key={credit.id} credit={credit} />
              ))}
            </ul>
          )
        }
      </QueryBody>
    </Card>
  );
}

function Row({ credit }: { credit: Credit }) {
  const t = useStore(MESSAGES);
  const amount = formatAmount(credit.amount, credit.currency);
  return (
    <li className="nums flex items-baseline justify-between gap-x-4 px-4 py-2.5 text-small sm:px-5">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">{credit.merchantName || credit.merchantId}</span>
        {credit.merchantName ? <span className="block text-caption text-ink3">{credit.merchantId}</span> : null}
        <span className="block text-caption text-ink3">
          {t.madeBy({ time: momentText(credit.createdAt), name: unbroken(credit.madeBy) })}
        </span>
      </p>
      <p className="shrink-0 text-right">
        <span className="font-semibold">{amount}</span>
        <span className="block text-caption text-ink3">
          {credit.transactionId ? (
            <JournalLink
              id={credit.transactionId}
              aria-label={t.transactionOf({ amount, name: credit.merchantName || credit.merchantId })}
              className="text-primary underline-offset-2 hover:underline"
            >
              {t.transaction}
            </JournalLink>
          ) : (
            t.moving
          )}
        </span>
      </p>
    </li>
  );
}
