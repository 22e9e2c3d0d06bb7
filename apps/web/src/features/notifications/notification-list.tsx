import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Notification, NotificationChannel, NotificationStatus } from '@vuka/contracts/http/notifications';
import { Archive, Bell, ChevronRight, CircleCheck, CircleX, Clock, Mail, MessageSquare } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { FilterSelect } from '#shared/admin/filter-select.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { ShowMore } from '#shared/admin/show-more.tsx';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { byOccasion, type Occasion } from './by-occasion.ts';
import { notificationsQuery } from './notifications.api.ts';

const MESSAGES = i18n('admin/notification-list', {
  title: 'Outbox',
  channel: 'Channel',
  status: 'Status',
  all: 'All',
  email: 'Email',
  sms: 'SMS',
  pending: 'Waiting to be sent',
  sent: 'Sent',
  failed: 'Not delivered',
  kept: 'Stored, not sent',
  keptWhy: 'There is no provider for this channel, so it was not sent.',
  reason: params('Last attempt: {reason}'),
  attempts: params('Attempts: {attempts}'),
  empty: 'No notifications found',
  emptyDetail: 'Each message to a merchant appears here, whether it was sent or not.',
  withheld: 'Message to an administrator',
  withheldWhy: 'Only owners and auditors see the address and the text.',
  noMatch: 'Change or remove a filter to see more.',
  loadFailed: 'Error loading notifications',
});

const LOOKS = {
  pending: { tone: 'warn', Icon: Clock },
  sent: { tone: 'ok', Icon: CircleCheck },
  failed: { tone: 'bad', Icon: CircleX },
  kept: { tone: 'quiet', Icon: Archive },
} as const;

function useFilter() {
  const [search, setSearch] = useSearchParams();
  const channel = NotificationChannel.safeParse(search.get('channel')).data;
  const status = NotificationStatus.safeParse(search.get('status')).data;
  const set = (name: 'channel' | 'status', value: string): void => {
    setSearch(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  };
  return { filter: { ...(channel ? { channel } : {}), ...(status ? { status } : {}) }, set };
}

/** Every notification to users: sent, waiting, or stored because the channel has no provider. */
export function NotificationList() {
  const t = useStore(MESSAGES);
  const { filter, set } = useFilter();
  const isFiltered = Object.keys(filter).length > 0;
  const query = useInfiniteQuery({
    ...notificationsQuery(filter),
    select: ({ pages }) => pages.flat(),
  });
  const options = (values: readonly ('email' | 'sms' | 'pending' | 'sent' | 'failed' | 'kept')[]) => [
    { value: '', label: t.all },
    ...values.map((value) => ({ value, label: t[value] })),
  ];
  return (
    <Card title={t.title} aside={<RefreshButton query={query} />}>
      <div className="grid grid-cols-2 gap-3 px-4 pb-4 sm:flex sm:px-5">
        <FilterSelect
          label={t.channel}
          name="channel"
          options={options(NotificationChannel.options)}
          value={filter.channel ?? ''}
          onChange={(value) => set('channel', value)}
        />
        <FilterSelect
          label={t.status}
          name="status"
          options={options(NotificationStatus.options)}
          value={filter.status ?? ''}
          onChange={(value) => set('status', value)}
        />
      </div>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(notifications) =>
          notifications.length === 0 ? (
            <div className="border-t border-line">
              <EmptyState Icon={Bell} title={t.empty} detail={isFiltered ? t.noMatch : t.emptyDetail} />
            </div>
          ) : (
            <ul className="divide-y divide-line overflow-clip rounded-b-card border-t border-line">
              {byOccasion(notifications).map((messages) => (
                <OccasionRow key={messages[0].id} messages={messages} />
              ))}
            </ul>
          )
        }
      </QueryBody>
      <ShowMore query={query} />
    </Card>
  );
}

/** The messages of one event to one person, by email and by SMS, side by side. */
function OccasionRow({ messages }: { messages: Occasion }) {
  const t = useStore(MESSAGES);
  const [first] = messages;
  const titled = messages.find(({ subject }) => subject) ?? first;
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-14 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2.5 -outline-offset-3 hover:bg-sunken sm:px-5 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3 transition-transform group-open:rotate-90" />
          <span className="min-w-0 flex-1 basis-56">
            <span className="line-clamp-2 font-medium">
              {titled.isWithheld ? t.withheld : (titled.subject ?? titled.body)}
            </span>
            <Moment at={first.createdAt} className="block text-caption text-ink3" />
          </span>
          {/* Of one width in every row, so that the addresses and the states are each in a column. */}
          <span className="grid w-full max-w-96 grid-cols-[minmax(0,1fr)] gap-1 max-md:pl-[32px]">
            {messages.map((message) => (
              <Delivery key={message.id} message={message} />
            ))}
          </span>
        </summary>
        <div className="divide-y divide-line bg-sunken">
          {messages.map((message) => (
            <Content key={message.id} message={message} />
          ))}
        </div>
      </details>
    </li>
  );
}

/** To whom a message went, and whether it arrived. */
function Delivery({ message: { channel, recipient, status } }: { message: Notification }) {
  const t = useStore(MESSAGES);
  const Icon = channel === 'email' ? Mail : MessageSquare;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="nums inline-flex min-w-0 flex-1 basis-32 items-center gap-1.5 text-caption text-ink2">
        <Icon aria-label={t[channel]} className="size-4 shrink-0 text-ink3" />
        <span title={recipient} className="min-w-0 truncate">
          {formatPhone(recipient)}
        </span>
      </span>
      <span className="ml-auto">
        <Badge {...LOOKS[status]}>{t[status]}</Badge>
      </span>
    </span>
  );
}

function Content({ message }: { message: Notification }) {
  const t = useStore(MESSAGES);
  const { channel, recipient, status, body, lastError, attempts, isWithheld } = message;
  return (
    <div className="grid gap-2 py-3 pr-4 pl-12 text-small sm:pr-5 sm:pl-13">
      <p className="nums text-caption font-semibold [overflow-wrap:anywhere] text-ink2">
        {isWithheld ? t[channel] : `${t[channel]} · ${formatPhone(recipient)}`}
      </p>
      <p className="max-w-[66ch] whitespace-pre-line [overflow-wrap:anywhere]">{isWithheld ? t.withheldWhy : body}</p>
      <p className="text-caption text-ink2">
        {[status === 'kept' ? t.keptWhy : t.attempts({ attempts }), lastError && t.reason({ reason: lastError })]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}
