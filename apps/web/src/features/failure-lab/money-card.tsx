import { count } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { FailureLab, PayoutTotals } from '@vuka/contracts/http/failure-lab';
import { CircleAlert, CircleCheck, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { type CurrencyTotals, compareTotals } from './compare-totals.ts';

const MESSAGES = i18n('admin/failure-money', {
  title: 'Where the money is',
  currency: 'Currency',
  network: 'Paid by the network',
  books: 'Paid in our books',
  open: 'Still open',
  failed: 'Failed, money back',
  payouts: count({ one: '{count} payout', many: '{count} payouts' }),
  agrees: 'Our books and the ledger of the network agree: what was paid was paid once.',
  open_questions: 'The network has paid more than our books show so far. The difference is part of what is still open.',
  differs: 'Our books and the ledger of the network differ.',
  unknown: 'Our books are unavailable at the moment.',
  empty: 'No payout has been made yet',
  transactions: 'Transactions',
  stuck: 'Stuck transactions',
  reconciliation: 'Reconciliation',
  logs: 'Integration logs',
});

type Verdict = ReturnType<typeof compareTotals>['verdict'];

const VERDICTS: Record<Verdict, { colour: string; Icon: LucideIcon }> = {
  agrees: { colour: 'text-ok', Icon: CircleCheck },
  open_questions: { colour: 'text-warn-ink', Icon: Clock },
  differs: { colour: 'text-bad', Icon: CircleAlert },
  unknown: { colour: 'text-ink2', Icon: CircleAlert },
};

const LINKS = [
  { to: PATHS.transactions, text: 'transactions' },
  { to: PATHS.transactionRecovery, text: 'stuck' },
  { to: PATHS.reconciliation, text: 'reconciliation' },
  { to: PATHS.integrationLogs, text: 'logs' },
] as const;

/** Compares the network's actual payments with the books. Whatever the network does, they must agree in the end. */
export function MoneyCard({ network, books }: Pick<FailureLab, 'network' | 'books'>) {
  const t = useStore(MESSAGES);
  const { rows, verdict } = compareTotals(network, books);
  const { colour, Icon } = VERDICTS[verdict];
  const sum = (row: CurrencyTotals, of: PayoutTotals['paid'] | undefined) =>
    of ? <Sum amount={formatAmount(of.amount, row.currency)} count={t.payouts(of.count)} /> : '–';
  const figures: (Column<CurrencyTotals> & { cell: (row: CurrencyTotals) => ReactNode })[] = [
    { key: 'network', header: t.network, align: 'right', cell: (row) => sum(row, row.network?.paid ?? NOTHING) },
    { key: 'books', header: t.books, align: 'right', cell: (row) => sum(row, row.books?.paid) },
    { key: 'open', header: t.open, align: 'right', cell: (row) => sum(row, row.books?.inFlight) },
    { key: 'failed', header: t.failed, align: 'right', cell: (row) => sum(row, row.books?.failed) },
  ];
  return (
    <Card title={t.title}>
      <p className={`flex gap-2 px-4 pb-3 text-small font-medium sm:px-5 ${colour}`}>
        <Icon aria-hidden className="size-5 shrink-0" />
        <span className="max-w-[66ch]">{rows.length === 0 ? t.empty : t[verdict]}</span>
      </p>
      {rows.length === 0 ? null : (
        <DataTable
          label={t.title}
          columns={[
            { key: 'currency', header: t.currency, cell: (row) => row.currency, className: 'font-semibold' },
            ...figures,
          ]}
          rows={rows}
          rowKey={(row) => row.currency}
          empty={t.empty}
          card={(row) => (
            <>
              <p className="font-semibold">{row.currency}</p>
              <dl className="mt-2 grid grid-cols-2 gap-3 text-small">
                {figures.map(({ key, header, cell }) => (
                  <div key={key}>
                    <dt className="text-caption text-ink3">{header}</dt>
                    <dd className="nums">{cell(row)}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        />
      )}
      <nav aria-label={t.title} className="flex flex-wrap gap-x-1 border-t border-line px-1 py-1 sm:px-2">
        {LINKS.map(({ to, text }) => (
          <Link key={to} to={to} className={buttonClass('quiet', '', 'small')}>
            {t[text]}
          </Link>
        ))}
      </nav>
    </Card>
  );
}

const NOTHING = { count: 0, amount: '0.00' };

function Sum({ amount, count: howMany }: { amount: string; count: string }) {
  return (
    <>
      <span className="block font-medium md:whitespace-nowrap">{amount}</span>
      <span className="block text-caption text-ink3 md:whitespace-nowrap">{howMany}</span>
    </>
  );
}
