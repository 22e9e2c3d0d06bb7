import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Session } from '@vuka/contracts/http/sessions';
import { MonitorSmartphone } from 'lucide-react';
import { errorMessage } from '#shared/api-client.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { endOtherSessions, endSession, SESSIONS_KEY, sessionsQuery } from './account-security.api.ts';
import { describeBrowser } from './describe-browser.ts';

const MESSAGES = i18n('sessions-card', {
  title: 'Where you are signed in',
  current: 'This device',
  unknown: 'Unknown device',
  seen: params('Last used {time}'),
  from: params('from {address}'),
  end: 'Sign out',
  endOf: params('Sign out: {device}'),
  endOthers: 'Sign out everywhere else',
  ended: 'Signed out',
  notEnded: 'The session could not be ended',
  failed: 'Your sessions could not be loaded',
});

/** Ends one session, or with no id all others. */
function useSessionEnd() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string | undefined) => (id === undefined ? endOtherSessions() : endSession(id)),
    meta: { silent: true },
    onSuccess: () => showToast({ title: t.ended, tone: 'success' }),
    onError: (error) => showError(t.notEnded, errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}

export function SessionsCard() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(sessionsQuery());
  const end = useSessionEnd();
  const hasOthers = data?.sessions.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <Card title={t.title}>
      {data ? (
        <ul className="divide-y divide-line pb-1">
          {data.sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : error ? (
        <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <div className="px-4 pb-5 sm:px-5">
          <Skeleton className="h-10" />
        </div>
      )}
      {hasOthers ? (
        <div className="px-4 pt-1 pb-4 sm:px-5 sm:pb-5">
          <Button variant="danger" className="w-full" isBusy={end.isPending} onClick={() => end.mutate(undefined)}>
            {t.endOthers}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

function SessionRow({ session }: { session: Session }) {
  const t = useStore(MESSAGES);
  const end = useSessionEnd();
  const device = describeBrowser(session.userAgent) || t.unknown;
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-ink2" />
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{device}</p>
        <p className="nums text-small text-ink2 [overflow-wrap:anywhere]">
          {t.seen({ time: formatDayAndTime(session.lastSeenAt) })}{' '}
          {session.address ? t.from({ address: session.address }) : null}
        </p>
      </div>
      {session.isCurrent ? (
        <span className="shrink-0 text-small font-semibold text-ok-ink">{t.current}</span>
      ) : (
        <Button
          variant="quiet"
          size="small"
          isBusy={end.isPending}
          aria-label={t.endOf({ device })}
          onClick={() => end.mutate(session.id)}
        >
          {t.end}
        </Button>
      )}
    </li>
  );
}
