import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { WalletTotals } from '@vuka/contracts/http/overview';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { ArrowDown, ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { overviewQuery } from './overview.api.ts';

const MESSAGES = i18n('admin/money-flow', {
  title: 'Where the money is now',
  detail: 'In the currency of the sender.',
  wallets: 'In wallets',
  reserved: 'Reserved for transfers',
  provider: 'Of it, with the provider',
  delivered: 'Delivered today',
  unavailable: 'Unavailable',
});

type Amounts = WalletTotals['available'];

/** The way of the money from the wallets to the recipients, each stage with the page that explains it. */
export function MoneyFlow() {
  const t = useStore(MESSAGES);
  const { data, isPending } = useQuery(overviewQuery());
  const { wallets, transfers } = data ?? {};
  const stages = [
    { name: 'wallets', amounts: wallets?.available, to: PATHS.merchants },
    { name: 'reserved', amounts: wallets?.reserved, to: PATHS.transactionRecovery },
    { name: 'provider', amounts: transfers?.withProvider, to: PATHS.reconciliation },
    { name: 'delivered', amounts: transfers?.days.at(-1)?.volumes, to: PATHS.integrationLogs },
  ] as const;
  return (
    <Card title={t.title} aside={<p className="text-caption text-ink3">{t.detail}</p>}>
      <ol className="grid gap-x-2 px-2 pb-3 sm:px-3 lg:grid-cols-4">
        {stages.map(({ name, amounts, to }, index) => (
          <li key={name} className="relative">
            {index > 0 ? <Arrow /> : null}
            <Link to={to} className="block rounded-control px-2 py-2 pl-8 hover:bg-sunken">
              <span className="text-small font-medium text-ink2">{t[name]}</span>
              <Sums amounts={amounts} isPending={isPending} unavailable={t.unavailable} />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Arrow() {
  return (
    <>
      <ArrowDown aria-hidden className="absolute top-2.5 left-2 size-4.5 text-ink3 lg:hidden" />
      <ArrowRight aria-hidden className="absolute top-2.5 left-2 size-4.5 text-ink3 max-lg:hidden" />
    </>
  );
}

interface SumsProps {
  amounts: Amounts | undefined;
  isPending: boolean;
  unavailable: string;
}

/** One line per wallet currency, before and after they have loaded. */
function Sums({ amounts, isPending, unavailable }: SumsProps) {
  return WALLET_CURRENCIES.map((currency, index) => (
    <span key={currency} className="nums block min-h-6 font-semibold [overflow-wrap:anywhere]">
      {isPending ? (
        <Skeleton className="h-5 w-28" />
      ) : amounts ? (
        formatAmount(amounts[currency], currency)
      ) : index === 0 ? (
        <span className="font-normal text-ink3">{unavailable}</span>
      ) : null}
    </span>
  ));
}
