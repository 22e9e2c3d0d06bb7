import { useStore } from '@nanostores/react';
import type { QueueFigures } from '@vuka/contracts/http/queues';
import { CircleCheck, Clock, TriangleAlert } from 'lucide-react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';

const MESSAGES = i18n('admin/queue-table', {
  label: 'Queues',
  name: 'Queue',
  status: 'Status',
  ready: 'Ready',
  unacknowledged: 'In work',
  delayed: 'Retry later',
  dead: 'Dead',
  consumers: 'Consumers',
  inRate: 'In/s',
  outRate: 'Out/s',
  actions: 'Actions',
  open: 'Dead messages',
  fine: 'Fine',
  busy: 'Behind',
  needsPerson: 'Needs you',
  unknown: '–',
  empty: 'No queues',
});

/** Messages that have been ready for longer say that nobody keeps up with them. */
const BEHIND_AFTER_SECONDS = 60;
const BEHIND_FROM = 1_000;

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

interface QueueTableProps {
  queues: readonly QueueFigures[];
  onOpen: (queue: string) => void;
}

export function QueueTable({ queues, onOpen }: QueueTableProps) {
  const t = useStore(MESSAGES);
  const figure = (value: number | null): string => (value === null ? t.unknown : NUMBER.format(value));
  const action = (queue: QueueFigures) =>
    queue.keepsDead ? (
      <Button
        variant="secondary"
        size="small"
        aria-label={`${t.open}: ${queue.name}`}
        disabled={queue.dead === 0}
        onClick={() => onOpen(queue.name)}
      >
        {t.open}
      </Button>
    ) : null;
  const number = (key: keyof QueueFigures & string, header: string): Column<QueueFigures> => ({
    key,
    header,
    align: 'right',
    cell: (row) => figure(row[key] as number | null),
  });
  // A bus that knows no rates at all gets no columns of dashes.
  const knowsRates = queues.some(({ inPerSecond, outPerSecond }) => inPerSecond !== null || outPerSecond !== null);
  const columns: Column<QueueFigures>[] = [
    { key: 'name', header: t.name, cell: (row) => row.name, className: 'font-medium whitespace-nowrap' },
    { key: 'status', header: t.status, cell: (row) => <QueueStatus queue={row} /> },
    number('ready', t.ready),
    number('unacknowledged', t.unacknowledged),
    number('delayed', t.delayed),
    number('dead', t.dead),
    number('consumers', t.consumers),
    ...(knowsRates ? [number('inPerSecond', t.inRate), number('outPerSecond', t.outRate)] : []),
    { key: 'actions', header: t.actions, cell: action, isPinned: true },
  ];
  return (
    <DataTable
      label={t.label}
      columns={columns}
      rows={queues}
      rowKey={(row) => row.name}
      empty={<p className="text-ink2">{t.empty}</p>}
      card={(row) => (
        <>
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <p className="font-semibold [overflow-wrap:anywhere]">{row.name}</p>
            <QueueStatus queue={row} />
          </div>
          <dl className="nums my-2 grid grid-cols-4 gap-2 text-small">
            {(['ready', 'unacknowledged', 'delayed', 'dead'] as const).map((key) => (
              <div key={key}>
                <dt className="text-caption text-ink3">{t[key]}</dt>
                <dd className="font-medium">{figure(row[key])}</dd>
              </div>
            ))}
          </dl>
          {action(row)}
        </>
      )}
    />
  );
}

const STATES = {
  needsPerson: { colour: 'bg-bad-soft text-bad-ink', Icon: TriangleAlert },
  busy: { colour: 'bg-warn-soft text-warn-ink', Icon: Clock },
  fine: { colour: 'bg-ok-soft text-ok-ink', Icon: CircleCheck },
} as const;

function QueueStatus({ queue }: { queue: QueueFigures }) {
  const t = useStore(MESSAGES);
  if (queue.ready === null) return <span className="text-ink3">{t.unknown}</span>;
  const state = stateOf(queue);
  const { colour, Icon } = STATES[state];
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full py-0.5 pr-2.5 pl-1.5 text-caption font-semibold whitespace-nowrap ${colour}`}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={2.5} />
      {t[state]}
    </span>
  );
}

function stateOf({ dead, ready, oldestSeconds, keepsDead }: QueueFigures): keyof typeof STATES {
  if ((dead ?? 0) > 0) return 'needsPerson';
  const isBehind = (ready ?? 0) >= BEHIND_FROM || (oldestSeconds ?? 0) > BEHIND_AFTER_SECONDS;
  return keepsDead && isBehind ? 'busy' : 'fine';
}
