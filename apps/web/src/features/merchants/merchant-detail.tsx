import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { QueryCards } from '#shared/admin/query-body.tsx';
import { TransactionTable } from '#shared/admin/transaction-table.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { Columns, Stack } from '#shared/ui/columns.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { MerchantAccountCard } from './merchant-account-card.tsx';
import { MerchantBalances } from './merchant-balances.tsx';
import { MerchantLimits } from './merchant-limits.tsx';
import { MerchantRequests } from './merchant-requests.tsx';
import { MerchantVolume } from './merchant-volume.tsx';
import { merchantQuery } from './merchants.api.ts';

const MESSAGES = i18n('admin/merchant-detail', {
  failed: 'The merchant could not be loaded',
  balances: 'Balances',
  volume: 'Volume of the last 30 days',
  transactions: 'Recent transactions',
  unavailable: 'This part did not respond in time. The rest of the page is up to date.',
});

/** Everything about one merchant. A part that is unavailable says so, and the others are still shown. */
export function MerchantDetail({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const query = useQuery(merchantQuery(id));
  return (
    <QueryCards query={query} failed={(detail) => ({ title: t.failed, detail })}>
      {({ merchant, balances, recentTransactions, volumes }) => (
        <Stack>
          <Columns>
            <Stack>
              <MerchantAccountCard merchant={merchant} />
              <Card title={t.balances}>{balances ? <MerchantBalances balances={balances} /> : <Unavailable />}</Card>
            </Stack>
            <Stack>
              <MerchantLimits id={merchant.id} />
              <MerchantRequests merchant={merchant} />
            </Stack>
          </Columns>
          <Card title={t.volume}>{volumes ? <MerchantVolume title={t.volume} days={volumes} /> : <Unavailable />}</Card>
          <Card title={t.transactions}>
            {recentTransactions ? (
              <TransactionTable label={t.transactions} items={recentTransactions} />
            ) : (
              <Unavailable />
            )}
          </Card>
        </Stack>
      )}
    </QueryCards>
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
