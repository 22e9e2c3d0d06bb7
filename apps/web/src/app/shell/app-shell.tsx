import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { ErrorBoundary } from '#app/error-boundary.tsx';
import { SessionWarning } from '#features/auth/session-warning.tsx';
import { BALANCES_KEY } from '#shared/api/balances.api.ts';
import { TRANSACTIONS_KEY } from '#shared/api/transactions.api.ts';
import { formatTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { useLiveUpdates } from '#shared/live-updates.ts';
import type { SessionUser } from '#shared/session.ts';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { useOnline } from '#shared/use-online.ts';
import { BottomNavigation } from './bottom-navigation.tsx';
import { Header } from './header.tsx';

const MESSAGES = i18n('app-shell', {
  skip: 'Skip to content',
  offline: 'You are offline. What you see may be out of date.',
  offlineSince: params('You are offline. Shown as of {time}.'),
});

function OfflineBar() {
  const t = useStore(MESSAGES);
  const isOnline = useOnline();
  const client = useQueryClient();
  // The older of the two: nothing on screen is from before it.
  const fetchedAtMs = [BALANCES_KEY, TRANSACTIONS_KEY]
    .map((key) => client.getQueryState(key)?.dataUpdatedAt ?? 0)
    .filter((atMs) => atMs > 0);
  const note = fetchedAtMs.length > 0 ? t.offlineSince({ time: formatTime(Math.min(...fetchedAtMs)) }) : t.offline;
  return (
    <div role="status" className="no-print">
      {isOnline ? null : (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-small font-medium text-warn-ink">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {note}
        </p>
      )}
    </div>
  );
}

/** A new page starts at its top, with the focus on it, as a page load would. */
function useFocusOnNavigation() {
  const mainRef = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const lastPath = useRef(pathname);
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    window.scrollTo(0, 0);
    mainRef.current?.focus({ preventScroll: true });
  }, [pathname]);
  return mainRef;
}

export function AppShell({ user, children }: { user: SessionUser; children: ReactNode }) {
  const t = useStore(MESSAGES);
  useLiveUpdates(user.id);
  const mainRef = useFocusOnNavigation();
  const { pathname } = useLocation();
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-primary px-4 py-3 text-on-primary focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t.skip}
      </a>
      <Header />
      <OfflineBar />
      <main id="main" ref={mainRef} tabIndex={-1} className="pb-28">
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<PageSpinner />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <SessionWarning />
      <BottomNavigation isAdmin={user.isAdmin} />
    </>
  );
}
