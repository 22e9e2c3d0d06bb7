import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, RefreshCw, RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError } from '#shared/api-client.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useMediaQuery, WIDE } from '#shared/use-media-query.ts';
import { filterById, retryTransaction, type StuckTransaction, stuckTransactionsQuery } from './recovery.api.ts';

const TEXT = {
  title: 'Transaction Recovery',
  refresh: 'Refresh',
  filter: 'Filter by transaction ID',
  columns: ['Time', 'Transaction ID', 'Amount', 'Status', 'Recipient', 'Actions'],
  updated: 'Updated',
  notAvailable: 'N/A',
  retry: 'Retry',
  retrying: 'Retrying...',
  errorTitle: 'Error Loading Transactions',
  errorDetail: 'Failed to load stuck transactions',
  emptyTitle: 'No Stuck Transactions',
  emptyDetail: 'All transactions appear to be processing normally',
  noMatch: 'No transaction ID contains this text',
  guidelines: 'When to retry',
  retryFailed: 'Failed to Retry Transaction',
  retryUnknown: 'An unknown error occurred',
  retryFallback: 'Failed to retry transaction',
  retryDone: 'Transaction Retry Initiated',
} as const;

const GUIDELINES = [
  'Retry when a transaction is stuck in PENDING for more than 15 minutes, when no provider-wide issue is confirmed, or when a customer reports payment deducted but not completed.',
  'A retry re-publishes the execution message to the message queue, attempts internal transfers if not already done, sends no duplicate payment if already processed, and updates the status from the result.',
  'If retries keep failing, contact the technical team.',
] as const;

function retryErrorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error && error.message ? error.message : TEXT.retryUnknown;
  return error.body ? error.body.error || TEXT.retryUnknown : TEXT.retryFallback;
}

function useRetry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: retryTransaction,
    meta: { silent: true },
    async onSuccess(_, id) {
      showToast({
        title: TEXT.retryDone,
        description: `Transaction ${id} has been successfully queued for retry.`,
        tone: 'success',
      });
      await client.invalidateQueries({ queryKey: stuckTransactionsQuery().queryKey });
    },
    onError: (error) => showError(TEXT.retryFailed, retryErrorMessage(error)),
  });
}

interface RowProps {
  item: StuckTransaction;
  isRetrying: boolean;
  onRetry: () => void;
}

function amountText(item: StuckTransaction): string {
  const target = item.targetAmount ? formatAmount(item.targetAmount, item.targetCurrency) : TEXT.notAvailable;
  return `${formatAmount(item.sourceAmount, item.sourceCurrency)} → ${target}`;
}

function recipientText(item: StuckTransaction): string {
  return item.recipientPhone ? formatPhone(item.recipientPhone) : TEXT.notAvailable;
}

function Row({ item, isRetrying, onRetry }: RowProps) {
  return (
    <tr className="align-middle hover:bg-sunken">
      <td className="nums px-4 py-3 whitespace-nowrap">
        {formatDayAndTime(item.createdAt)}
        {item.updatedAt === item.createdAt ? null : (
          <span className="block text-caption text-ink3">
            {TEXT.updated} {formatDayAndTime(item.updatedAt)}
          </span>
        )}
      </td>
      <td className="nums max-w-44 px-4 py-3 text-caption break-all">{item.id}</td>
      <td className="nums px-4 py-3 text-right font-medium whitespace-nowrap">{amountText(item)}</td>
      <td className="px-4 py-3">
        <StatusBadge status={item.status} place="list" />
        {item.statusReason ? <span className="mt-1 block text-caption text-ink3">{item.statusReason}</span> : null}
      </td>
      <td className="nums px-4 py-3 whitespace-nowrap">{recipientText(item)}</td>
      <td className="px-4 py-3">
        <RetryButton isRetrying={isRetrying} onRetry={onRetry} />
      </td>
    </tr>
  );
}

function RetryButton({ isRetrying, onRetry }: Pick<RowProps, 'isRetrying' | 'onRetry'>) {
  return (
    <Button variant="secondary" className="min-h-11 px-4 text-small" disabled={isRetrying} onClick={onRetry}>
      <RotateCw aria-hidden className={`size-4 ${isRetrying ? 'animate-spin' : ''}`} />
      {isRetrying ? TEXT.retrying : TEXT.retry}
    </Button>
  );
}

function StuckCard({ item, isRetrying, onRetry }: RowProps) {
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="nums font-semibold">{amountText(item)}</p>
        <StatusBadge status={item.status} place="narrow-list" />
      </div>
      {item.statusReason ? <p className="mt-1 text-small text-ink2">{item.statusReason}</p> : null}
      <p className="nums mt-1 text-caption text-ink3">
        {formatDayAndTime(item.createdAt)} · {recipientText(item)}
      </p>
      <p className="nums mt-1 mb-3 text-caption break-all text-ink3">{item.id}</p>
      <RetryButton isRetrying={isRetrying} onRetry={onRetry} />
    </li>
  );
}

function StuckList({ items }: { items: readonly StuckTransaction[] }) {
  const retry = useRetry();
  const isWide = useMediaQuery(WIDE);
  const rows = items.map((item) => ({
    key: item.id,
    item,
    isRetrying: retry.isPending && retry.variables === item.id,
    onRetry: () => retry.mutate(item.id),
  }));
  if (isWide) return <StuckTable rows={rows} />;
  return (
    <ul className="divide-y divide-line border-t border-line">
      {rows.map(({ key, ...row }) => (
        <StuckCard key={key} {...row} />
      ))}
    </ul>
  );
}

function StuckTable({ rows }: { rows: readonly (RowProps & { key: string })[] }) {
  return (
    <section
      aria-label={TEXT.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard.
      tabIndex={0}
      className="overflow-x-auto"
    >
      <table className="w-full min-w-240 text-left text-small">
        <thead className="border-b border-line">
          <tr>
            {TEXT.columns.map((column) => (
              <th
                key={column}
                className={`h-11 px-4 text-caption font-semibold text-ink2 ${column === 'Amount' ? 'text-right' : ''}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, ...row }) => (
            <Row key={key} {...row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Message({ title, detail }: { title: string; detail?: string }) {
  return (
    <div className="flex flex-col items-center px-6 pt-4 pb-10 text-center">
      <CircleCheck aria-hidden className="size-10 text-ok" strokeWidth={1.5} />
      <p className="mt-3 font-semibold">{title}</p>
      {detail ? <p className="mt-1 text-small text-ink2">{detail}</p> : null}
    </div>
  );
}

function StuckContent({ filter }: { filter: string }): ReactNode {
  const { data, isPending, refetch } = useQuery(stuckTransactionsQuery());
  if (isPending) return <PageSpinner />;
  if (!data) return <LoadError title={TEXT.errorTitle} detail={TEXT.errorDetail} onRetry={() => void refetch()} />;
  if (data.length === 0) return <Message title={TEXT.emptyTitle} detail={TEXT.emptyDetail} />;
  const items = filterById(data, filter);
  return items.length === 0 ? <p className="px-5 pb-8 text-ink2">{TEXT.noMatch}</p> : <StuckList items={items} />;
}

export function TransactionRecovery() {
  const [filter, setFilter] = useState('');
  const { refetch, isFetching } = useQuery(stuckTransactionsQuery());
  const refresh = (
    <Button variant="quiet" className="-mr-3 px-3" onClick={() => void refetch()}>
      <RefreshCw aria-hidden className={`size-5 ${isFetching ? 'animate-spin' : ''}`} />
      <span className="sr-only sm:not-sr-only">{TEXT.refresh}</span>
    </Button>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Card title={TEXT.title} aside={refresh} className="overflow-hidden">
        <div className="px-4 pb-4 sm:px-5">
          <TextField
            label={TEXT.filter}
            type="search"
            className="max-w-96"
            autoComplete="off"
            value={filter}
            onChange={setFilter}
          />
        </div>
        <StuckContent filter={filter} />
      </Card>
      <Card title={TEXT.guidelines}>
        <ul className="grid list-disc gap-2 pt-1 pr-5 pb-5 pl-9 text-small text-ink2">
          {GUIDELINES.map((line) => (
            <li key={line} className="max-w-[75ch]">
              {line}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
