import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Clock, Server, UserRound } from 'lucide-react';
import { formatDay, formatTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { momentText } from '#shared/ui/moment.tsx';

const MESSAGES = i18n('admin/journal', {
  label: 'Journal of the transaction',
  empty: 'Nothing is recorded for this transaction',
  status: 'Status',
  call: 'Provider',
  action: 'Administrator',
});

/** Something that happened to a transaction, from any of its records. */
export interface JournalEvent {
  key: string;
  at: string;
  kind: 'status' | 'call' | 'action';
  title: string;
  detail?: string | undefined;
  tone?: 'ok' | 'bad' | undefined;
}

const ICONS = { call: Server, action: UserRound } as const;
const STATUS_ICONS = { ok: CircleCheck, bad: CircleX, plain: Clock } as const;
/** The statuses are the story; the calls explain them. */
const TITLES = { status: 'font-semibold', call: 'text-small text-ink2', action: 'font-medium' } as const;
const TONES = { ok: 'bg-ok-soft text-ok-ink', bad: 'bg-bad-soft text-bad-ink', plain: 'bg-sunken text-ink2' } as const;

/** With its day if it is the first of one. Most of a transaction happens within a minute. */
function timeOf({ at }: JournalEvent, before: JournalEvent | undefined): string {
  return before && formatDay(before.at) === formatDay(at) ? formatTime(at, true) : momentText(at, true);
}

/** Oldest first: how the statuses, the calls to the provider and the acts of administrators follow one another. */
export function Journal({ events }: { events: readonly JournalEvent[] }) {
  const t = useStore(MESSAGES);
  if (events.length === 0) return <p className="px-4 pb-5 text-small text-ink2 sm:px-5">{t.empty}</p>;
  const sorted = [...events].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <ol aria-label={t.label} className="px-4 pb-5 sm:px-5">
      {sorted.map((event, index) => {
        const { key, at, kind, title, detail, tone = 'plain' } = event;
        const Icon = kind === 'status' ? STATUS_ICONS[tone] : ICONS[kind];
        const isLast = index === sorted.length - 1;
        return (
          <li key={key} className="relative flex gap-3 pb-4 last:pb-0">
            {isLast ? null : <span aria-hidden className="absolute top-9 bottom-0 left-4 w-px bg-line" />}
            <span className={`grid size-8 shrink-0 place-items-center rounded-full ${TONES[tone]}`}>
              <Icon aria-hidden className="size-4" />
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className={`min-w-0 flex-1 basis-24 [overflow-wrap:anywhere] ${TITLES[kind]}`}>
                  <span className="sr-only">{t[kind]}: </span>
                  <span className={kind === 'status' ? 'capital-first' : ''}>{title}</span>
                </span>
                <time dateTime={at} className="nums text-caption text-ink3">
                  {timeOf(event, sorted[index - 1])}
                </time>
              </p>
              {detail ? <p className="nums text-small [overflow-wrap:anywhere] text-ink2">{detail}</p> : null}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
