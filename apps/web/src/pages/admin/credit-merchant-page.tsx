import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CreditForm } from '#features/merchant-credit/credit-form.tsx';
import { largeCreditsQuery } from '#features/merchant-credit/large-credits.api.ts';
import { LargeCredits } from '#features/merchant-credit/large-credits.tsx';
import { RecentCredits } from '#features/merchant-credit/recent-credits.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Columns } from '#shared/ui/columns.tsx';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/credit-merchant-page', {
  title: 'Credit Merchant',
  description: 'Put money into a merchant’s or an administrator’s wallet.',
});

export function CreditMerchantPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  const [hasWaiting, setHasWaiting] = useState(false);
  const { data: waiting } = useInfiniteQuery(largeCreditsQuery('awaiting_approval'));
  // Credits that wait for approval come first, and the list stays there when none is left.
  if (waiting?.length && !hasWaiting) setHasWaiting(true);
  const parts = [
    <Columns key="credit">
      {mayDo('credits.make') ? <CreditForm /> : null}
      {mayDo('credits.read') ? <RecentCredits /> : null}
    </Columns>,
    <LargeCredits key="large" />,
  ];
  return (
    <AdminPage title={t.title} description={t.description}>
      {hasWaiting ? parts.toReversed() : parts}
    </AdminPage>
  );
}
