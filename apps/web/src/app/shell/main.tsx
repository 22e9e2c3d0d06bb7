import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { ErrorBoundary } from '#app/error-boundary.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';

/** The page's content, and the target of "Skip to content". */
export function Main({ className = '' }: { className?: string }) {
  const { pathname } = useLocation();
  return (
    <main id="main" tabIndex={-1} className={`pb-28 ${className}`}>
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<PageSpinner />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
