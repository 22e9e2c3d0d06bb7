import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { Check, RotateCw, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { ListEnd } from '#shared/admin/list-end.tsx';
import { ageInMinutes, LATE_MINUTES, RETRY_AFTER_MINUTES } from '#shared/admin/stuck-age.ts';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDay, formatTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { shortId } from '#shared/format/short-id.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { codedText } from '#shared/i18n/coded-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { noteText } from '#shared/i18n/transfer-notes.ts';
import { adminTransactionPath } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment, momentText } from '#shared/ui/moment.tsx';
import { AdminStatus } from './admin-status.tsx';
import type { StuckTransaction } from './recovery.api.ts';
import { RecoveryDialog } from './recovery-dialog.tsx';
import { type RetryOutcome, useRetry } from './use-retry.ts';

const MESSAGES = i18n('admin/stuck-table', {
  label: 'Stuck transactions',
  time: 'Time',
  id: 'Transaction ID',
  amount: 'Amount',
  status: 'Status',
  recipient: 'Recipient',
  actions: 'Actions',
  updated: params('Updated {time}'),
  updatedLater: params('Updated {count} s later'),
  notAvailable: 'N/A',
  retry: 'Retry',
  retrying: 'Retrying...',
  minutes: params('{count} min'),
  hours: params('{count} h'),
  days: params('{count} days'),
  details: 'Details',
  detailsOf: params('Details of {id}'),
  select: params('Select {id}'),
  selectAll: 'Select all',
  selected: count({ one: '{count} selected', many: '{count} selected' }),
  retrySelected: 'Retry selected',
});

export function StuckTable({ items, empty }: { items: readonly StuckTransaction[]; empty: string }) {
  const t = useStore(MESSAGES);
  const { retrying, outcomes, retry, retryMany } = useRetry();
  const mayRetry = useMayDo()('recovery.retry');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [previewed, setPreviewed] = useState<string>();
  const chosen = items.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  const select = (id: string): void =>
    setSelected((ids) => (ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id])));
  const recipient = (item: StuckTransaction): string => recipientText(item, t);
  const action = (item: StuckTransaction) => (
    <span className="flex flex-wrap gap-2 md:justify-end xl:flex-nowrap">
      <Button
        variant="quiet"
        size="small"
        aria-label={t.detailsOf({ id: item.id })}
        onClick={() => setPreviewed(item.id)}
      >
        {t.details}
      </Button>
      {mayRetry ? <RetryButton item={item} isRetrying={retrying.has(item.id)} onRetry={() => retry(item.id)} /> : null}
    </span>
  );
  const choice = ({ id }: StuckTransaction, className = '') =>
    mayRetry ? (
      <Choice label={t.select({ id })} className={className} isChosen={selected.has(id)} onChange={() => select(id)} />
    ) : null;
  const areAllChosen = items.length > 0 && chosen.length === items.length;
  const chooseAll = mayRetry ? (
    <Choice
      label={t.selectAll}
      isChosen={areAllChosen}
      onChange={() => setSelected(new Set(areAllChosen ? [] : items.map(({ id }) => id)))}
    />
  ) : null;
  const time = (item: StuckTransaction) => (
    <span className="flex items-center gap-3">
      {choice(item)}
      <span>
        <Time item={item} />
      </span>
    </span>
  );
  const status = (item: StuckTransaction) => <Status item={item} outcome={outcomes.get(item.id)} />;
  return (
    <>
      <BulkRetry
        chosen={chosen}
        isBusy={retrying.size > 0}
        onRetry={() => {
          setSelected(new Set());
          void retryMany(chosen);
        }}
      />
      <DataTable
        label={t.label}
        columns={columnsOf(t, { time, status, recipient, action }, chooseAll)}
        rows={items}
        rowKey={(item) => item.id}
        onOpen={({ id }) => setPreviewed(id)}
        empty={<EmptyState Icon={SearchX} title={empty} />}
        card={(item) => (
          <StuckCard item={item} choice={choice(item, '-mt-3')} status={status(item)} action={action(item)} />
        )}
      />
      <ListEnd list="stuckTransfers" length={items.length} />
      {previewed ? (
        <RecoveryDialog
          id={previewed}
          isRetrying={retrying.has(previewed)}
          outcome={outcomes.get(previewed)}
          onRetry={() => retry(previewed)}
          onClose={() => setPreviewed(undefined)}
        />
      ) : null}
    </>
  );
}

function recipientText({ recipientPhone }: StuckTransaction, t: ReturnType<typeof MESSAGES.get>): string {
  return recipientPhone ? formatPhone(recipientPhone) : t.notAvailable;
}

type Cell = (item: StuckTransaction) => ReactNode;

function columnsOf(
  t: ReturnType<typeof MESSAGES.get>,
  cells: Record<'time' | 'status' | 'recipient' | 'action', Cell>,
  chooseAll: ReactNode,
): Column<StuckTransaction>[] {
  return [
    { key: 'time', header: t.time, lead: chooseAll, cell: cells.time, className: 'nums min-w-40' },
    { key: 'id', header: t.id, cell: (item) => <IdLink id={item.id} />, className: 'whitespace-nowrap' },
    {
      key: 'amount',
      header: t.amount,
      align: 'right',
      cell: (item) => <Amounts item={item} />,
      className: 'min-w-24 font-medium',
    },
    { key: 'status', header: t.status, cell: cells.status, className: 'min-w-32' },
    {
      key: 'recipient',
      header: t.recipient,
      cell: cells.recipient,
      className: 'nums whitespace-nowrap',
      fold: { into: 'amount', cell: (item) => <span className="whitespace-nowrap">{cells.recipient(item)}</span> },
    },
    { key: 'actions', header: t.actions, cell: cells.action, isPinned: true, className: 'whitespace-nowrap' },
  ];
}

interface ChoiceProps {
  label: string;
  className?: string;
  isChosen: boolean;
  onChange: () => void;
}

function Choice({ label, className = '', isChosen, onChange }: ChoiceProps) {
  return (
    // A touch target larger than the box.
    <label className={`-mx-3 grid size-11 shrink-0 cursor-pointer place-items-center ${className}`}>
      <input
        type="checkbox"
        aria-label={label}
        className="peer col-start-1 row-start-1 size-5 appearance-none rounded-[4px] border border-field bg-surface checked:border-primary checked:bg-primary"
        checked={isChosen}
        onChange={onChange}
      />
      <Check
        aria-hidden
        strokeWidth={3}
        className="pointer-events-none col-start-1 row-start-1 size-3.5 text-on-primary opacity-0 peer-checked:opacity-100"
      />
    </label>
  );
}

interface StuckCardProps {
  item: StuckTransaction;
  choice: ReactNode;
  status: ReactNode;
  action: ReactNode;
}

/** A transaction on a narrow screen. */
function StuckCard({ item, choice, status, action }: StuckCardProps) {
  const t = useStore(MESSAGES);
  return (
    <div className="flex items-start gap-3">
      {choice}
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <p className="nums font-semibold">
            <Amounts item={item} />
          </p>
          {status}
        </div>
        <div className="nums text-caption text-ink3">
          <Time item={item} />
          <span className="block">{recipientText(item, t)}</span>
        </div>
        <div className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <IdLink id={item.id} />
          <span className="ml-auto">{action}</span>
        </div>
      </div>
    </div>
  );
}

interface BulkRetryProps {
  chosen: readonly string[];
  isBusy: boolean;
  onRetry: () => void;
}

function BulkRetry({ chosen, isBusy, onRetry }: BulkRetryProps) {
  const t = useStore(MESSAGES);
  if (chosen.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line bg-sunken px-4 py-2 sm:px-5">
      <p role="status" className="nums text-small font-medium">
        {t.selected(chosen.length)}
      </p>
      <Button size="small" disabled={isBusy} onClick={onRetry}>
        {t.retrySelected}
      </Button>
    </div>
  );
}

/** The amounts sent and received, on one line where there is room. In large text on a phone even one of them may wrap. */
function Amounts({ item }: { item: StuckTransaction }) {
  const t = useStore(MESSAGES);
  return (
    <>
      <span className="inline-block">{formatAmount(item.sourceAmount, item.sourceCurrency)}</span>{' '}
      <span className="inline-block">
        →{' '}
        {item.targetAmount && item.targetCurrency
          ? formatAmount(item.targetAmount, item.targetCurrency)
          : t.notAvailable}
      </span>
    </>
  );
}

function Time({ item }: { item: StuckTransaction }) {
  const t = useStore(MESSAGES);
  const minutes = ageInMinutes(item.createdAt);
  const colour =
    minutes > LATE_MINUTES
      ? 'bg-bad-soft px-2 font-semibold text-bad-ink'
      : minutes > RETRY_AFTER_MINUTES
        ? 'bg-warn-soft px-2 font-semibold text-warn-ink'
        : 'text-ink3';
  return (
    <>
      <Moment at={item.createdAt} className="mr-2 whitespace-nowrap" />
      <span className={`inline-block rounded-full text-caption whitespace-nowrap ${colour}`}>
        {ageText(minutes, t)}
      </span>
      {item.updatedAt === item.createdAt ? null : (
        <span className="ml-2 text-caption text-ink3">{updatedText(item, t)}</span>
      )}
    </>
  );
}

/** Repeats nothing of the time of the creation: the day, and within the same minute the time, would be the same. */
function updatedText({ createdAt, updatedAt }: StuckTransaction, t: ReturnType<typeof MESSAGES.get>): string {
  const moment = momentText(updatedAt);
  if (moment === momentText(createdAt))
    return t.updatedLater({ count: Math.ceil((Date.parse(updatedAt) - Date.parse(createdAt)) / 1_000) });
  const isSameDay = formatDay(updatedAt) === formatDay(createdAt);
  return t.updated({ time: isSameDay ? unbroken(formatTime(updatedAt)) : moment });
}

function ageText(minutes: number, t: ReturnType<typeof MESSAGES.get>): string {
  if (minutes < 120) return t.minutes({ count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? t.hours({ count: hours }) : t.days({ count: Math.floor(hours / 24) });
}

function IdLink({ id }: { id: string }) {
  return (
    <Link
      to={adminTransactionPath(id)}
      title={id}
      className="nums text-caption text-primary underline-offset-2 hover:underline"
    >
      {shortId(id)}
    </Link>
  );
}

/** Why a transaction waits: what its merchant reads about it tells an administrator nothing. */
const REASONS = i18n('admin/stuck-reasons', {
  network_silent: 'The payout is not confirmed yet',
  taking_long: 'A step has not succeeded yet',
});

function Status({ item, outcome }: { item: StuckTransaction; outcome: RetryOutcome | undefined }) {
  const reasons = useStore(REASONS);
  const { statusReason: note, statusReasonCodes: codes } = item;
  return (
    <span>
      {/* On one line in a card; the table has no room for it beside the times. */}
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 md:block">
        <AdminStatus status={item.status} />
        {note ? (
          <span className="block text-caption text-ink3">{codedText(reasons, codes, noteText(note, codes))}</span>
        ) : null}
      </span>
      {outcome ? (
        <span className={`mt-1 block text-caption font-semibold ${outcome.isQueued ? 'text-ok-ink' : 'text-bad-ink'}`}>
          {outcome.text}
        </span>
      ) : null}
    </span>
  );
}

interface RetryButtonProps {
  item: StuckTransaction;
  isRetrying: boolean;
  onRetry: () => void;
}

/** Quiet while the transaction is younger than the guidelines recommend. */
function RetryButton({ item, isRetrying, onRetry }: RetryButtonProps) {
  const t = useStore(MESSAGES);
  const isEarly = ageInMinutes(item.createdAt) <= RETRY_AFTER_MINUTES;
  return (
    <Button variant={isEarly ? 'quiet' : 'secondary'} size="small" disabled={isRetrying} onClick={onRetry}>
      <RotateCw aria-hidden className={`size-4 ${isRetrying ? 'animate-spin' : ''}`} />
      {isRetrying ? t.retrying : t.retry}
    </Button>
  );
}
