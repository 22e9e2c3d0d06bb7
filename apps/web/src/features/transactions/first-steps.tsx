import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { balancesQuery } from '#shared/api/balances.api.ts';
import { limitsQuery } from '#shared/api/limits.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';

const MESSAGES = i18n('first-steps', { verify: 'Verify your phone and email', send: 'Send your first transfer' });

/** What an account without transfers does next: the verification first, until it is done; then, with money, a transfer. */
export function FirstSteps(): ReactNode {
  const t = useStore(MESSAGES);
  const { data, isPending } = useQuery(limitsQuery());
  const balances = Object.values(useQuery(balancesQuery()).data?.balances ?? {});
  if (isPending) return <Skeleton className="h-12 w-48" />;
  const isUnverified = data?.tier === 'unverified';
  return (
    <>
      {isUnverified ? (
        <Link to={PATHS.security} className={buttonClass('primary')}>
          <ShieldCheck aria-hidden className="size-5 shrink-0" />
          {t.verify}
        </Link>
      ) : null}
      {balances.some((balance) => Number(balance) > 0) ? (
        <Link to={PATHS.send} className={buttonClass(isUnverified ? 'quiet' : 'secondary')}>
          {t.send}
        </Link>
      ) : null}
    </>
  );
}
