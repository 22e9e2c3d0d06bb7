import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { BALANCES_KEY } from '#shared/api/keys.ts';
import { NetworkError } from '#shared/api-client.ts';
import { formatTimeOn } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { userQuery } from '#shared/session.ts';
import { useOnline } from '#shared/use-online.ts';

const MESSAGES = i18n('offline-bar', {
  offline: 'You are offline.',
  shownAsOf: params('You are offline. Shown as of {time}.'),
});

/** Tells the user that the server is unreachable, and how old the data on screen is. */
export function OfflineBar() {
  const t = useStore(MESSAGES);
  const isOnline = useOnline();
  const { error } = useQuery({ ...userQuery(), refetchOnMount: false });
  const loadedAt = useQueryClient().getQueryState(BALANCES_KEY)?.dataUpdatedAt;
  const isAway = !isOnline || error instanceof NetworkError;
  return (
    <div role="status" className="no-print sticky top-[calc(3.5rem+env(safe-area-inset-top))] z-30">
      {isAway ? (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-small font-medium text-warn-ink">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {loadedAt ? t.shownAsOf({ time: formatTimeOn(loadedAt) }) : t.offline}
        </p>
      ) : null}
    </div>
  );
}
