import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { ChevronRight, CircleCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDay, formatTime } from '#shared/format/date.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { type Attention, TONE_CLASSES, toneOf } from './attention.ts';

const MESSAGES = i18n('admin/needs-attention', {
  title: 'Needs attention',
  nothing: 'Nothing needs attention',
  stuck: 'Stuck transactions',
  withdrawals: 'Withdrawals to approve',
  credits: 'Large credits to approve',
  adjustments: 'Adjustments to approve',
  rates: 'Changes of the rate to approve',
  limits: 'Higher limits to approve',
  approvalLimits: 'Higher approval limits to approve',
  administrators: 'Roles and unlocks to approve',
  exceptions: 'Payments that do not match',
  dead: 'Dead messages',
  left: 'Queues without a consumer',
  oldest: params('since {time}'),
  atLeast: params('{count} or more'),
  unknown: params('Could not be loaded: {what}'),
});

/** The time of today, or an earlier day. */
function sinceText(at: string): string {
  const day = formatDay(at);
  return unbroken(day === formatDay(new Date().toISOString()) ? formatTime(at) : day);
}

/** Four columns, or three if that leaves fewer places of the last line empty. */
function columnsFor(count: number): string {
  const empty = (columns: number): number => (columns - (count % columns)) % columns;
  return empty(3) < empty(4) ? 'xl:grid-cols-3' : 'xl:grid-cols-4';
}

/** The items that wait for a person, each with a link to the page where it is handled. */
export function NeedsAttention({ items }: { items: readonly Attention[] }) {
  const t = useStore(MESSAGES);
  const waiting = items.filter(({ count }) => count);
  const unavailable = items.filter(({ count, isUnavailable }) => count === undefined && isUnavailable);
  const isLoading = items.some(({ count, isUnavailable }) => count === undefined && !isUnavailable);
  return (
    <Card title={t.title}>
      {waiting.length > 0 ? (
        <ul
          className={`grid grid-cols-[minmax(0,1fr)] gap-2 px-4 pt-1 pb-4 sm:grid-cols-2 sm:px-5 sm:pb-5 ${columnsFor(waiting.length)}`}
        >
          {waiting.map(({ what, count = 0, hasMore, since, to }) => (
            <li key={what}>
              <Link
                to={to}
                className="flex h-full min-h-12 items-center gap-3 rounded-control px-3 py-1.5 ring-1 ring-line ring-inset hover:bg-sunken"
              >
                <span
                  className={`nums min-w-8 rounded-chip px-2 py-0.5 text-center font-semibold ${TONE_CLASSES[toneOf({ what, since })]}`}
                >
                  {hasMore ? t.atLeast({ count }) : count}
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block text-small font-medium [overflow-wrap:anywhere]">{t[what]}</span>
                  {since ? (
                    <span className="nums block text-caption text-ink3">{t.oldest({ time: sinceText(since) })}</span>
                  ) : null}
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3" />
              </Link>
            </li>
          ))}
        </ul>
      ) : isLoading ? (
        <div className="px-4 pb-5 sm:px-5">
          <Skeleton className="h-5 w-44" />
        </div>
      ) : unavailable.length === 0 ? (
        <p className="flex items-center gap-2 px-4 pb-5 text-small text-ink2 sm:px-5">
          <CircleCheck aria-hidden className="size-5 text-ok" />
          {t.nothing}
        </p>
      ) : null}
      {unavailable.length > 0 && !isLoading ? (
        <div className="px-4 pb-4 sm:px-5">
          <Notice tone="warn" role="status">
            {t.unknown({ what: unavailable.map(({ what }) => t[what]).join(', ') })}
          </Notice>
        </div>
      ) : null}
    </Card>
  );
}
