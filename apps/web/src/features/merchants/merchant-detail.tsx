import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { MerchantAccountCard } from './merchant-account-card.tsx';
import { MerchantBalances } from './merchant-balances.tsx';
import { MerchantLimits } from './merchant-limits.tsx';
import { MerchantRequests } from './merchant-requests.tsx';
import { MerchantTransactions } from './merchant-transactions.tsx';
import { merchantQuery } from './merchants.api.ts';

const MESSAGES = i18n('admin/merchant-detail', {
  failed: params('Error loading the merchant: {message}'),
  balances: 'Balances',
  transactions: 'Recent transactions',
  unavailable: 'This part did not respond in time. The rest of the page is up to date.',
});

/** Everything about one merchant. A part that is unavailable says so, and the others are still shown. */
export function MerchantDetail({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const query = useQuery(merchantQuery(id));
  return (
    <QueryBody query={query} failed={(message) => ({ title: t.failed({ message }) })}>
      {({ merchant, balances, recentTransactions }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
            <MerchantAccountCard merchant={merchant} />
            <Card title={t.balances}>{balances ? <MerchantBalances balances={balances} /> : <Unavailable />}</Card>
          </div>
          <MerchantLimits id={merchant.id} />
          <MerchantRequests merchant={merchant} />
          <Card title={t.transactions}>
            {recentTransactions ? <MerchantTransactions items={recentTransactions} /> : <Unavailable />}
          </Card>
        </div>
      )}
    </QueryBody>
  );
}

function Unavailable() {
  const t = useStore(MESSAGES);
  return (
    <div className="px-4 pb-5 sm:px-5">
      <Notice tone="warn">{t.unavailable}</Notice>
    </div>
  );
}
