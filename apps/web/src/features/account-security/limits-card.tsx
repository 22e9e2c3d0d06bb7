import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { limitsQuery } from '#shared/api/limits.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { LimitBars } from '#shared/limits/limit-bars.tsx';
import { TierBadge } from '#shared/limits/tier-badge.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';

const MESSAGES = i18n('limits-card', {
  title: 'Limits',
  why: 'Transfers and withdrawals count together. The day and the month begin at midnight in East Africa.',
  verify: 'Verify your phone number and email address for higher limits.',
  failed: 'Your limits could not be loaded',
});

/** The user's own limits, with what is left of them. */
export function LimitsCard() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(limitsQuery());
  return (
    <Card title={t.title} aside={data && data.tier !== 'verified' ? <TierBadge tier={data.tier} /> : null}>
      <p className="px-4 text-small text-ink2 sm:px-5">
        {t.why} {data?.tier === 'unverified' ? <b className="font-semibold text-ink">{t.verify}</b> : null}
      </p>
      <div className="divide-y divide-line px-4 pb-1 sm:px-5">
        {data ? (
          data.limits.map((limits) => <LimitBars key={limits.currency} limits={limits} />)
        ) : error ? (
          <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
        ) : (
          <>
            <Skeleton className="my-4 h-24" />
            <Skeleton className="my-4 h-24" />
          </>
        )}
      </div>
    </Card>
  );
}
