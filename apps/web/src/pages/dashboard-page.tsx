import { useStore } from '@nanostores/react';
import { BalanceCarousel } from '#features/balances/balance-carousel.tsx';
import { ExchangeRatesCard } from '#features/rates/exchange-rates-card.tsx';
import { RecentTransactionsCard } from '#features/transactions/recent-transactions-card.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PageTitle } from '#shared/ui/page-title.tsx';

const MESSAGES = i18n('dashboard-page', { title: 'Dashboard' });

export function DashboardPage() {
  const t = useStore(MESSAGES);
  return (
    <div className="mx-auto grid max-w-wide grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-2 sm:px-6">
      <PageTitle title={t.title} />
      <h1 className="sr-only">{t.title}</h1>
      <BalanceCarousel />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <RecentTransactionsCard />
        {/* Hidden until the list above has loaded: it would jump otherwise. */}
        <div className="max-lg:peer-aria-busy:invisible">
          <ExchangeRatesCard />
        </div>
      </div>
    </div>
  );
}
