import { useStore } from '@nanostores/react';
import type { Reconciliation } from '@vuka/contracts/http/reconciliation';
import { CircleCheck, CircleX, Clock, Scale, TriangleAlert } from 'lucide-react';
import { Fragment } from 'react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { formatDay } from '#shared/format/date.ts';
import { groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';

const MESSAGES = i18n('admin/reconciliation-runs', {
  label: 'Comparisons',
  empty: 'No day has been compared yet',
  emptyDetail: 'Every day is compared with the provider’s statement, and the result appears here.',
  day: 'Day',
  outcome: 'Outcome',
  payments: 'Payments',
  matched: 'Matched',
  waiting: 'Still open',
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

const LOOKS = {
  running: { tone: 'quiet', Icon: Clock },
  failed: { tone: 'warn', Icon: TriangleAlert },
  agrees: { tone: 'ok', Icon: CircleCheck },
  differs: { tone: 'bad', Icon: CircleX },
} as const;

function outcomeOf({ state, differences }: Reconciliation): keyof typeof LOOKS {
  if (state !== 'completed') return state;
  return differences === 0 ? 'agrees' : 'differs';
}

/** "The statement of TZS ...": the services begin their errors with a small letter. */
const capitalFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Outcome({ run, t }: { run: Reconciliation; t: Texts }) {
  const outcome = outcomeOf(run);
  return (
    <>
      <Badge {...LOOKS[outcome]}>{t[outcome]}</Badge>
      {run.error ? <span className="block text-caption break-words text-ink3">{capitalFirst(run.error)}</span> : null}
    </>
  );
}

/** A zero says nothing, and neither does a figure that there is not. */
function Count({ of, look = '' }: { of: number | null; look?: string }) {
  return <span className={of ? look : 'text-ink3'}>{count(of)}</span>;
}

function columnsOf(t: Texts): Column<Reconciliation>[] {
  return [
    {
      key: 'day',
      header: t.day,
      cell: ({ day }) => <span className="nums font-medium whitespace-nowrap">{formatDay(day)}</span>,
    },
    { key: 'outcome', header: t.outcome, cell: (run) => <Outcome run={run} t={t} />, className: 'min-w-40' },
    { key: 'payments', header: t.payments, align: 'right', cell: ({ lines }) => <Count of={lines} /> },
    { key: 'matched', header: t.matched, align: 'right', cell: ({ matched }) => <Count of={matched} /> },
    { key: 'waiting', header: t.waiting, align: 'right', cell: ({ waiting }) => <Count of={waiting} /> },
    {
      key: 'differences',
      header: t.differences,
      align: 'right',
      cell: ({ differences }) => <Count of={differences} look="font-semibold text-bad-ink" />,
    },
    {
      key: 'started',
      header: t.started,
      className: 'pl-6 lg:whitespace-nowrap',
      cell: ({ startedAt }) => <Moment at={startedAt} />,
    },
    { key: 'by', header: t.by, cell: ({ requestedBy }) => requestedBy ?? t.daily, fold: { into: 'started' } },
  ];
}

/** The figures of a comparison on one line; a failed one has none. */
function figuresOf({ lines, matched, waiting, differences }: Reconciliation, t: Texts): string[] {
  const figures: [string, number | null][] = [
    [t.payments, lines],
    [t.matched, matched],
    [t.waiting, waiting],
    [t.differences, differences],
  ];
  return figures.filter(([, value]) => value !== null).map(([label, value]) => `${label} ${count(value)}`);
}

function RunCard({ run, t }: { run: Reconciliation; t: Texts }) {
  const figures = figuresOf(run, t);
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
      {figures.length > 0 ? (
        <p className="nums text-caption text-ink2">
          {figures.map((figure, index) => (
            <Fragment key={figure}>
              <span className="whitespace-nowrap">
                {figure}
                {index < figures.length - 1 ? ' ·' : ''}
              </span>{' '}
            </Fragment>
          ))}
        </p>
      ) : null}
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
      empty={<EmptyState Icon={Scale} title={t.empty} detail={t.emptyDetail} />}
    />
  );
}
