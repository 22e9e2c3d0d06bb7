import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { errorMessage } from '#shared/api-client.ts';
import { systemName } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS, signInPath } from '#shared/paths.ts';
import { logoutMark, signedInHint, userQuery } from '#shared/session.ts';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { PAGE, SHELL } from './routes.ts';

const MESSAGES = i18n('protected-route', { unreachable: params('We could not reach {system}') });

/**
 * Renders only for a signed-in user. A network failure does not sign the user out: it keeps the current page, or shows
 * that the system is unreachable.
 */
export function ProtectedRoute() {
  const t = useStore(MESSAGES);
  const { data: user, isPending, error, refetch } = useQuery(userQuery());
  // Rendering the signed-in app is expensive. Deferred, it runs in slices, between which a cheap phone responds to
  // touch.
  const known = useDeferredValue(user);
  const location = useLocation();
  const hadUser = useRef(false);
  useEffect(() => {
    if (user !== undefined) signedInHint.write(user !== null);
    if (!user) return;
    hadUser.current = true;
    // The user may have signed in in another tab.
    logoutMark.write(false);
  }, [user]);
  // The page completes the sign-in of an administrator: until then the server refuses every other call.
  if (known && /pending|enrol/.test(user?.secondFactor ?? '')) return <PAGE.security.Component />;
  if (user && known) return <SHELL.Component />;
  if (isPending || user) return <PageSpinner />;
  if (user === null) {
    const from = location.pathname + location.search;
    if (logoutMark.read()) return <Navigate to={PATHS.auth} replace />;
    const hasExpired = hadUser.current || signedInHint.read();
    return <Navigate to={signInPath(from, hadUser.current)} state={{ hasExpired }} replace />;
  }
  return (
    <main className="grid min-h-dvh place-content-center">
      <LoadError
        title={t.unreachable({ system: systemName() })}
        detail={errorMessage(error)}
        onRetry={() => void refetch()}
      />
    </main>
  );
}
