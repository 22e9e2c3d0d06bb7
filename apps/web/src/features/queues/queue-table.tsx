import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { QueueFigures } from '@vuka/contracts/http/queues';
import { CircleCheck, Clock, Layers, TriangleAlert } from 'lucide-react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { RowButton } from '#shared/admin/row-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { isLeft } from './queue-state.ts';

const MESSAGES = i18n('admin/queue-table', {
  label: 'Queues',
  name: 'Queue',
  status: 'Status',
  ready: 'Ready',
  unacknowledged: 'In progress',
  delayed: 'Retry later',
  dead: 'Dead',
  consumers: 'Consumers',
  inPerSecond: 'In/s',
  outPerSecond: 'Out/s',
  actions: 'Actions',
  open: 'Dead messages',
  healthy: 'Healthy',
  busy: 'Behind',
  needsPerson: 'Needs attention',
  nobody: 'No consumer',
  waits: params('The oldest waits {count} s'),
  unknown: '–',
  unknownHint: 'The message bus does not report this figure',
  noneHint: 'This queue does not keep failed messages',
  empty: 'No queues',
});

/** If a message has been ready for longer, the consumers are not keeping up. */
const BEHIND_AFTER_SECONDS = 60;
const BEHIND_FROM = 1_000;

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

const FIGURES = ['ready', 'unacknowledged', 'delayed', 'dead', 'inPerSecond', 'outPerSecond', 'consumers'] as const;

type FigureName = (typeof FIGURES)[number];

interface QueueTableProps {
  queues: readonly QueueFigures[];
  onOpen: (queue: string) => void;
}

export function QueueTable({ queues, onOpen }: QueueTableProps) {
  const t = useStore(MESSAGES);
  const figure = (queue: QueueFigures, key: FigureName) => {
    const value = queue[key];
    if (value !== null) return <Count name={key} value={value} />;
    // A queue that does not keep failed messages has none; any other missing figure is one the bus did not report.
    const isNone = !queue.keepsDead && (key === 'delayed' || key === 'dead');
    return (
      <span title={isNone ? t.noneHint : t.unknownHint}>
        <span aria-hidden>{t.unknown}</span>
        <span className="sr-only">{isNone ? t.noneHint : t.unknownHint}</span>
      </span>
    );
  };
  // If the bus does not count a queue's dead messages, there may be some.
  const action = (queue: QueueFigures) =>
    queue.keepsDead && queue.dead !== 0 ? (
      <RowButton aria-label={`${t.open}: ${queue.name}`} onClick={() => onOpen(queue.name)}>
        {t.open}
      </RowButton>
    ) : null;
  const number = (key: FigureName, header: string): Column<QueueFigures> => ({
    key,
    header,
    align: 'right',
    cell: (row) => figure(row, key),
  });
  const folded = (key: FigureName): Column<QueueFigures> => ({
    ...number(key, t[key]),
    fold: {
      into: 'name',
      cell: (row) =>
        row[key] === null ? null : (
          <>
            {t[key]} {figure(row, key)}
          </>
        ),
    },
  });
  const columns: Column<QueueFigures>[] = [
    { key: 'name', header: t.name, cell: (row) => row.name, className: 'font-medium whitespace-nowrap' },
    { key: 'status', header: t.status, cell: (row) => <QueueStatus queue={row} /> },
    number('ready', t.ready),
    number('unacknowledged', t.unacknowledged),
    number('delayed', t.delayed),
    number('dead', t.dead),
    folded('inPerSecond'),
    folded('outPerSecond'),
    folded('consumers'),
    { key: 'actions', header: t.actions, cell: action, isPinned: true, className: 'whitespace-nowrap' },
  ];
  return (
    <DataTable
      label={t.label}
      columns={columns}
      rows={queues}
      rowKey={(row) => row.name}
      empty={<EmptyState Icon={Layers} title={t.empty} />}
      card={(row) => (
        <>
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <p className="min-w-0 flex-1 basis-32 font-semibold [overflow-wrap:anywhere]">{row.name}</p>
            <span className="ml-auto text-right">
              <QueueStatus queue={row} />
            </span>
          </div>
          <dl className="nums my-2 grid grid-cols-[repeat(auto-fill,minmax(4.25rem,1fr))] gap-2 text-small">
            {FIGURES.filter((key) => row[key] !== null).map((key) => (
              <div key={key} className="flex flex-col justify-between">
                <dt className="text-caption text-ink3">{t[key]}</dt>
                <dd className="font-medium">{figure(row, key)}</dd>
              </div>
            ))}
          </dl>
          {action(row)}
        </>
      )}
    />
  );
}

/** Most figures are zero, and say nothing. A dead message is why a person opens this page. */
function Count({ name, value }: { name: FigureName; value: number }) {
  const look = value === 0 ? 'text-ink3' : name === 'dead' ? 'font-semibold text-bad-ink' : '';
  return <span className={look}>{NUMBER.format(value)}</span>;
}

const STATES = {
  needsPerson: { tone: 'bad', Icon: TriangleAlert },
  busy: { tone: 'warn', Icon: Clock },
  healthy: { tone: 'ok', Icon: CircleCheck },
} as const;

function QueueStatus({ queue }: { queue: QueueFigures }) {
  const t = useStore(MESSAGES);
  if (queue.ready === null) return <span className="text-ink3">{t.unknown}</span>;
  const state = stateOf(queue);
  const { tone, Icon } = STATES[state];
  const why = isLeft(queue)
    ? t.nobody
    : state === 'busy' && queue.oldestSeconds
      ? t.waits({ count: Math.round(queue.oldestSeconds) })
      : undefined;
  return (
    <span>
      <Badge tone={tone} Icon={Icon}>
        {t[state]}
      </Badge>
      {why ? <span className="nums block text-caption text-ink3">{why}</span> : null}
    </span>
  );
}

function stateOf(queue: QueueFigures): keyof typeof STATES {
  const { dead, ready, oldestSeconds, keepsDead } = queue;
  if (isLeft(queue) || (dead ?? 0) > 0) return 'needsPerson';
  const isBehind = (ready ?? 0) >= BEHIND_FROM || (oldestSeconds ?? 0) > BEHIND_AFTER_SECONDS;
  return keepsDead && isBehind ? 'busy' : 'healthy';
}
