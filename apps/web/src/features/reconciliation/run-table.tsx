import { useStore } from '@nanostores/react';
import type { Reconciliation } from '@vuka/contracts/http/reconciliation';
import { Scale } from 'lucide-react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { formatDay } from '#shared/format/date.ts';
import { groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';

const MESSAGES = i18n('admin/reconciliation-runs', {
  label: 'Comparisons',
  empty: 'No day has been compared yet',
  day: 'Day',
  outcome: 'Outcome',
  payments: 'Payments',
  matched: 'Matched',
  waiting: 'Not ended yet',
  differences: 'Differences',
  started: 'Started',
  by: 'Requested by',
  daily: 'Daily',
  running: 'In progress',
  agrees: 'Agrees',
  differs: 'Differs',
  failed: 'Not compared',
});

type Texts = ReturnType<typeof MESSAGES.get>;

const count = (value: number | null): string => (value === null ? '–' : groupDigits(String(value)));

function Outcome({ run, t }: { run: Reconciliation; t: Texts }) {
  const [text, colour] =
    run.state === 'running'
      ? [t.running, 'text-ink2']
      : run.state === 'failed'
        ? [t.failed, 'text-warn-ink']
        : run.differences === 0
          ? [t.agrees, 'text-ok-ink']
          : [t.differs, 'text-bad-ink'];
  return (
    <>
      <span className={`font-semibold ${colour}`}>{text}</span>
      {run.error ? <span className="block text-caption break-words text-ink3">{run.error}</span> : null}
    </>
  );
}

function columnsOf(t: Texts): Column<Reconciliation>[] {
  return [
    {
      key: 'day',
      header: t.day,
      cell: ({ day }) => <span className="nums font-medium whitespace-nowrap">{formatDay(day)}</span>,
    },
    { key: 'outcome', header: t.outcome, cell: (run) => <Outcome run={run} t={t} />, className: 'min-w-40' },
    { key: 'payments', header: t.payments, align: 'right', cell: ({ lines }) => count(lines) },
    { key: 'matched', header: t.matched, align: 'right', cell: ({ matched }) => count(matched) },
    { key: 'waiting', header: t.waiting, align: 'right', cell: ({ waiting }) => count(waiting) },
    { key: 'differences', header: t.differences, align: 'right', cell: ({ differences }) => count(differences) },
    {
      key: 'started',
      header: t.started,
      className: 'whitespace-nowrap pl-6',
      cell: ({ startedAt }) => <Moment at={startedAt} />,
    },
    { key: 'by', header: t.by, cell: ({ requestedBy }) => requestedBy ?? t.daily, fold: { into: 'started' } },
  ];
}

function RunCard({ run, t }: { run: Reconciliation; t: Texts }) {
  return (
    <div className="grid gap-1 text-small">
      <p className="flex items-baseline justify-between gap-3">
        <span className="nums font-semibold">{formatDay(run.day)}</span>
        <span className="nums text-caption text-ink3">
          <Moment at={run.startedAt} />
        </span>
      </p>
      <p>
        <Outcome run={run} t={t} />
      </p>
      <p className="nums text-caption text-ink2">
        {t.payments} {count(run.lines)} · {t.matched} {count(run.matched)} · {t.waiting} {count(run.waiting)} ·{' '}
        {t.differences} {count(run.differences)}
      </p>
      <p className="text-caption text-ink3">{run.requestedBy ?? t.daily}</p>
    </div>
  );
}

/** The latest comparisons, newest first. */
export function RunTable({ runs }: { runs: readonly Reconciliation[] }) {
  const t = useStore(MESSAGES);
  return (
    <DataTable
      label={t.label}
      columns={columnsOf(t)}
      rows={runs}
      rowKey={({ id }) => id}
      card={(run) => <RunCard run={run} t={t} />}
      empty={<EmptyState Icon={Scale} title={t.empty} />}
    />
  );
}
