import { BalanceCarousel } from '#features/balances/balance-carousel.tsx';
import { ExchangeRatesCard } from '#features/rates/exchange-rates-card.tsx';
import { RecentTransactionsCard } from '#features/transactions/recent-transactions-card.tsx';

const TEXT = { title: 'Dashboard', documentTitle: 'Dashboard – Vuka' } as const;

export function DashboardPage() {
  return (
    <div className="mx-auto grid max-w-wide grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-2 sm:px-6">
      <title>{TEXT.documentTitle}</title>
      <h1 className="sr-only">{TEXT.title}</h1>
      <BalanceCarousel />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <RecentTransactionsCard />
        <ExchangeRatesCard />
      </div>
    </div>
  );
}
