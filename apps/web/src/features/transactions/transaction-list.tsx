import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownLeft, ArrowUpRight, ChevronRight, ReceiptText } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { recipientsQuery } from '#shared/api/recipients.api.ts';
import type { TransactionItem } from '#shared/api/transactions.api.ts';
import { formatDay, formatTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { receiptPath } from '#shared/paths.ts';
import { hasFailed } from '#shared/status-view.ts';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import { useMediaQuery, WIDE } from '#shared/use-media-query.ts';
import { useRowEstimates } from '#shared/use-row-estimates.ts';
import { amountSign, counterpartyText, directionText, signColour, signedAmount } from './transaction-view.ts';

const MESSAGES = i18n('transaction-list', {
  empty: 'No transactions found',
  emptyDetail: 'What you send and receive appears here.',
  loading: 'Loading transactions',
  date: 'Date',
  direction: 'Direction',
  amount: 'Amount',
  status: 'Status',
});

const FirstSteps = lazyExtra(
  () => import('./first-steps.tsx').then((file) => file.FirstSteps),
  <Skeleton className="h-12 w-48" />,
);

const AMOUNT_COLOUR = { green: 'text-ok', red: 'text-bad', plain: 'text-ink' } as const;

/** Struck through if the money did not move in the end. */
function Amount({ item }: { item: TransactionItem }) {
  const colour = signColour(amountSign(item));
  const line = hasFailed(item.status) ? 'line-through' : '';
  return (
    <span data-colour={colour} className={`nums font-semibold whitespace-nowrap ${AMOUNT_COLOUR[colour]} ${line}`}>
      {signedAmount(item)}
    </span>
  );
}

/** What the recipient gets in another currency; nothing if they get nothing. */
function ReceivedAmount({ item }: { item: TransactionItem }) {
  const isInOther = amountSign(item) === '-' && item.sourceCurrency !== item.targetCurrency;
  if (!isInOther || hasFailed(item.status)) return null;
  return (
    <span className="nums block text-caption whitespace-nowrap text-ink3">
      {formatAmount(item.targetAmount, item.targetCurrency)}
    </span>
  );
}

function DirectionIcon({ item }: { item: TransactionItem }) {
  const Icon = amountSign(item) === '+' ? ArrowDownLeft : ArrowUpRight;
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-ink2">
      <Icon aria-hidden className="size-5" />
    </span>
  );
}

/** The names under which the user saved recipients, by phone. */
function useSavedNames(): (item: TransactionItem) => string | undefined {
  const { data } = useQuery(recipientsQuery());
  const names = useMemo(() => new Map(data?.map(({ phone, label }) => [phone, label])), [data]);
  return ({ recipientPhone: phone }) => (phone ? names.get(phone) : undefined);
}

interface CounterpartyProps {
  item: TransactionItem;
  /** Of a saved recipient. */
  name: string | undefined;
  width?: string;
}

/** A long name is cut, so that its row stays as high. */
function Counterparty({ item, name, width = '' }: CounterpartyProps) {
  return <span className={name ? `block truncate ${width}` : 'nums'}>{counterpartyText(item, name)}</span>;
}

function direction(item: TransactionItem): string {
  return directionText(item.direction, item.sourceCurrency, item.targetCurrency);
}

/** Two texts at the ends of a line, below each other if they are too long. */
function NarrowLine({ children }: { children: ReactNode }) {
  return <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-0.5">{children}</span>;
}

function NarrowList({ items }: { items: readonly TransactionItem[] }) {
  const nameOf = useSavedNames();
  const estimates = useRowEstimates('[contain-intrinsic-size:auto_5.75rem] [content-visibility:auto]');
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.id} className={estimates}>
          <Link
            to={receiptPath(item.id)}
            className="flex min-h-20 flex-wrap items-center gap-2 px-4 py-3 -outline-offset-3 hover:bg-sunken sm:px-5"
          >
            <DirectionIcon item={item} />
            <span className="min-w-0 flex-1 basis-56">
              <NarrowLine>
                <span className="min-w-0 flex-1 basis-24 text-small font-medium">
                  <Counterparty item={item} name={nameOf(item)} width="max-w-40" />
                </span>
                <Amount item={item} />
              </NarrowLine>
              <NarrowLine>
                <span className="text-caption whitespace-nowrap text-ink2">{direction(item)}</span>
                <ReceivedAmount item={item} />
              </NarrowLine>
              <NarrowLine>
                <Moment at={item.createdAt} className="text-caption text-ink3" />
                <span className="ml-auto">
                  <StatusBadge status={item.status} place="narrow-list" />
                </span>
              </NarrowLine>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function WideTable({ items }: { items: readonly TransactionItem[] }) {
  const t = useStore(MESSAGES);
  const navigate = useNavigate();
  const nameOf = useSavedNames();
  const head = 'h-10 px-3 first:pl-5 text-caption font-semibold text-ink2';
  return (
    <table className="w-full table-fixed text-left">
      <thead className="border-b border-line">
        <tr>
          <th className={`${head} w-36`}>{t.date}</th>
          <th className={head}>{t.direction}</th>
          <th className={`${head} w-44 text-right`}>{t.amount}</th>
          <th className={`${head} w-36`}>{t.status}</th>
          <th aria-hidden className="w-9" />
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {items.map((item) => (
          // A click anywhere in the row opens it; the link inside serves the keyboard and screen readers.
          <tr
            key={item.id}
            className="cursor-pointer hover:bg-sunken"
            onClick={() => void navigate(receiptPath(item.id))}
          >
            <td className="nums h-14 pr-3 pl-5 text-small whitespace-nowrap text-ink2">
              {formatDay(item.createdAt)}
              <span className="block text-caption text-ink3">{formatTime(item.createdAt)}</span>
            </td>
            <td className="px-3">
              <Link
                to={receiptPath(item.id)}
                className="rounded-chip font-medium whitespace-nowrap"
                onClick={(event) => event.stopPropagation()}
              >
                {direction(item)}
              </Link>
              <span className="block text-caption whitespace-nowrap text-ink2">
                <Counterparty item={item} name={nameOf(item)} />
              </span>
            </td>
            <td className="px-3 text-right">
              <Amount item={item} />
              <ReceivedAmount item={item} />
            </td>
            <td className="px-3">
              <StatusBadge status={item.status} place="list" />
            </td>
            <td aria-hidden className="pr-4 pl-1 text-ink3">
              <ChevronRight className="size-5" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function TransactionList({ items }: { items: readonly TransactionItem[] }) {
  const isWide = useMediaQuery(WIDE);
  if (items.length === 0) return <EmptyTransactions />;
  return isWide ? <WideTable items={items} /> : <NarrowList items={items} />;
}

function EmptyTransactions(): ReactNode {
  const t = useStore(MESSAGES);
  return (
    <EmptyState
      Icon={ReceiptText}
      title={t.empty}
      detail={t.emptyDetail}
      action={
        // As high as two steps, so that nothing moves when it is known how many there are.
        <div className="grid min-h-24 items-center">
          <FirstSteps />
        </div>
      }
    />
  );
}

export function TransactionListSkeleton({ rows }: { rows: number }) {
  const t = useStore(MESSAGES);
  return (
    <div role="status" className="divide-y divide-line md:pt-10">
      <span className="sr-only">{t.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <div key={row} className="flex h-23 items-center gap-2 px-4 sm:px-5 md:h-14">
          <Skeleton className="size-8 rounded-full md:hidden" />
          <div className="flex-1">
            <Skeleton className="h-4 w-28" />
            <Skeleton className="mt-2 h-4 w-20" />
          </div>
          <Skeleton className="h-4 w-24" />
        </div>
      ))}
    </div>
  );
}
