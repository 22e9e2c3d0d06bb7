import { useStore } from '@nanostores/react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { SessionWarning } from '#features/auth/session-warning.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { useLiveUpdates } from '#shared/live-updates.ts';
import type { SessionUser } from '#shared/session.ts';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { AppUpdate } from './app-update.tsx';
import { BottomNavigation } from './bottom-navigation.tsx';
import { Header } from './header.tsx';
import { OfflineBar } from './offline-bar.tsx';

const MESSAGES = i18n('app-shell', { skip: 'Skip to content' });

/** Scrolls a new page to its top and focuses its content, as a page load would. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const lastPath = useRef(pathname);
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    // On Back and Forward the browser restores the position that the user left.
    if (navigationType !== 'POP') window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, navigationType]);
}

export function AppShell({ user, children }: { user: SessionUser; children: ReactNode }) {
  const t = useStore(MESSAGES);
  useLiveUpdates(user.id);
  useFocusOnNavigation();
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
      <AppUpdate />
      <Suspense fallback={<PageSpinner />}>{children}</Suspense>
      <SessionWarning />
      <BottomNavigation isAdmin={user.isAdmin} />
    </>
  );
}
