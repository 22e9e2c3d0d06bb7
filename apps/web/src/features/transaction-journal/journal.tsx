import { useStore } from '@nanostores/react';
import { ArrowLeftRight, type LucideIcon, Server, UserRound } from 'lucide-react';
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

const ICONS: Record<JournalEvent['kind'], LucideIcon> = { status: ArrowLeftRight, call: Server, action: UserRound };
const TONES = { ok: 'bg-ok-soft text-ok-ink', bad: 'bg-bad-soft text-bad-ink', plain: 'bg-sunken text-ink2' } as const;

/** Oldest first: how the statuses, the calls to the provider and the acts of administrators follow one another. */
export function Journal({ events }: { events: readonly JournalEvent[] }) {
  const t = useStore(MESSAGES);
  if (events.length === 0) return <p className="px-4 pb-5 text-small text-ink2 sm:px-5">{t.empty}</p>;
  const sorted = [...events].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <ol aria-label={t.label} className="px-4 pb-5 sm:px-5">
      {sorted.map(({ key, at, kind, title, detail, tone }, index) => {
        const Icon = ICONS[kind];
        const isLast = index === sorted.length - 1;
        return (
          <li key={key} className="relative flex gap-3 pb-4 last:pb-0">
            {isLast ? null : <span aria-hidden className="absolute top-9 bottom-0 left-4 w-px bg-line" />}
            <span className={`grid size-8 shrink-0 place-items-center rounded-full ${TONES[tone ?? 'plain']}`}>
              <Icon aria-hidden className="size-4" />
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium [overflow-wrap:anywhere]">
                  <span className="sr-only">{t[kind]}: </span>
                  <span className={kind === 'status' ? 'capital-first' : ''}>{title}</span>
                </span>
                <time dateTime={at} className="nums text-caption text-ink3">
                  {/* Most of it happens within a minute. */}
                  {momentText(at, true)}
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
