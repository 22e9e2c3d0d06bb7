import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { AdminRight } from '@vuka/contracts/http/admin-rights';
import type { WalletTotals } from '@vuka/contracts/http/overview';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useMayDo } from '#shared/admin/use-may-do.ts';
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
  provider: 'Of which with the provider',
  delivered: 'Settled today',
  unavailable: 'Unavailable',
});

const STAGE = 'block rounded-control px-2 py-2 [overflow-wrap:anywhere]';

type Amounts = WalletTotals['available'];

/** The way of the money from the wallets to the recipients, each stage with the page that explains it. */
export function MoneyFlow() {
  const t = useStore(MESSAGES);
  const { data, isPending } = useQuery(overviewQuery());
  const { wallets, transfers } = data ?? {};
  const stages = [
    {
      name: 'wallets',
      amounts: wallets?.available,
      page: { to: PATHS.merchants, right: 'merchants.read' },
      bar: 'bg-primary',
    },
    {
      name: 'reserved',
      amounts: wallets?.reserved,
      page: { to: PATHS.transactionRecovery, right: 'recovery.read' },
      bar: 'bg-under-way',
    },
    {
      name: 'delivered',
      amounts: transfers?.days.at(-1)?.volumes,
      page: { to: PATHS.integrationLogs, right: 'logs.read' },
      bar: 'bg-ok',
    },
  ] as const;
  const state = { isPending, unavailable: t.unavailable };
  return (
    <Card title={t.title} aside={<p className="text-caption text-ink3">{t.detail}</p>}>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-x-1 gap-y-2 px-2 pb-3 sm:grid-cols-3 sm:px-3 xl:grid-cols-4">
        {stages.map(({ name, amounts, page, bar }, index) => (
          // On a wide screen a part is beside its whole: below it, it would leave the other stages half empty.
          <li
            key={name}
            className={name === 'reserved' ? 'grid content-start items-end xl:col-span-2 xl:grid-cols-2' : undefined}
          >
            {/* On a wide screen above the part too, which has no bar of its own. */}
            <span aria-hidden className={`mx-2 mt-2 block h-1 rounded-full xl:col-span-2 ${bar}`} />
            <Stage {...page}>
              <span className="flex items-center gap-1.5 text-small font-medium text-ink2">
                {t[name]}
                {index < stages.length - 1 ? (
                  <Arrow className={name === 'reserved' ? 'max-sm:hidden xl:hidden' : 'max-sm:hidden'} />
                ) : null}
              </span>
              <Sums amounts={amounts} {...state} />
            </Stage>
            {name === 'reserved' ? (
              // A part of the figure before it: indented, and without a bar of its own.
              <div className="ml-3 border-l border-line pl-1">
                <Stage to={PATHS.reconciliation} right="reconciliation.read">
                  <span className="flex items-center gap-1.5 text-small font-medium text-ink2">
                    {t.provider}
                    <Arrow className="max-xl:hidden" />
                  </span>
                  <Sums amounts={transfers?.withProvider} {...state} />
                </Stage>
              </div>
            ) : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Leads to the page that explains the figure, if the role may open it. */
function Stage({ to, right, children }: { to: string; right: AdminRight; children: ReactNode }) {
  if (!useMayDo()(right)) return <div className={STAGE}>{children}</div>;
  return (
    <Link to={to} className={`${STAGE} hover:bg-sunken`}>
      {children}
    </Link>
  );
}

/** To the next stage; the classes say where the stages are side by side. */
function Arrow({ className }: { className: string }) {
  return <ArrowRight aria-hidden className={`ml-auto size-4 shrink-0 text-ink3 ${className}`} />;
}

interface SumsProps {
  amounts: Amounts | undefined;
  isPending: boolean;
  unavailable: string;
}

/** One line per wallet currency, before and after they have loaded, unless they could not be. */
function Sums({ amounts, isPending, unavailable }: SumsProps) {
  if (!isPending && !amounts) return <span className="block min-h-6 text-ink3">{unavailable}</span>;
  return WALLET_CURRENCIES.map((currency) => (
    <span key={currency} className="nums block min-h-6 font-semibold">
      {isPending ? <Skeleton className="h-5 w-28" /> : amounts && formatAmount(amounts[currency], currency)}
    </span>
  ));
}
