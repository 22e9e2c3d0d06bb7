import { useStore } from '@nanostores/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { MonthTotals } from '@vuka/contracts/http/statements';
import type { WalletCurrency } from '@vuka/money/corridors';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { BALANCES_KEY } from '#shared/api/keys.ts';
import { callApi } from '#shared/api-client.ts';
import { formatWhole } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Figure } from '#shared/ui/figure.tsx';

const MESSAGES = i18n('month-figures', {
  title: 'This month',
  moneyOut: 'Sent',
  moneyIn: 'Received',
  fees: 'Fees',
});

/** The key starts with that of the balances, so that invalidating the balances refreshes the month, too. */
function monthQuery() {
  return queryOptions({
    queryKey: [...BALANCES_KEY, 'month'],
    queryFn: ({ signal }) => callApi('/api/statement/this-month', MonthTotals, { signal }),
    staleTime: 2_000,
    refetchOnMount: true,
    meta: { silent: true },
  });
}

interface MonthFiguresProps {
  currency: WalletCurrency;
  /** Shown instead of an amount while balances are hidden; otherwise undefined. */
  hidden: string | undefined;
  /** In place of an amount until it has loaded. */
  meanwhile: ReactNode;
}

/** What a wallet sent, received and paid in fees this month; each figure opens the statement of the month. */
export function MonthFigures({ currency, hidden, meanwhile }: MonthFiguresProps) {
  const t = useStore(MESSAGES);
  const { data, isPending } = useQuery(monthQuery());
  const wallet = data?.wallets.find((each) => each.currency === currency);
  const statement = data
    ? `${PATHS.statement}?${new URLSearchParams({ from: data.from, to: data.to })}`
    : PATHS.statement;
  const figure = (name: 'moneyOut' | 'moneyIn' | 'fees'): ReactNode => {
    if (isPending) return meanwhile;
    return wallet ? (hidden ?? <Figure text={formatWhole(wallet[name])} />) : '–';
  };
  return (
    <section
      aria-label={`${t.title}, ${currency}`}
      className="gap-x-6 border-t border-white/15 pt-1 text-caption text-on-wallet sm:flex"
    >
      <h3 className="mt-1 font-medium">{t.title}</h3>
      <ul className="mt-1 flex flex-1 flex-wrap gap-x-6">
        {(['moneyOut', 'moneyIn', 'fees'] as const).map((name) => (
          <li key={name} className="min-w-fit flex-1">
            <Link to={statement} className="block rounded-chip outline-white hover:underline">
              {t[name]}
              <span className="nums block text-small font-semibold text-white">{figure(name)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
