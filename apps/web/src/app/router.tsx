import { Suspense } from 'react';
import { BrowserRouter, Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { NotFoundPage } from '#pages/not-found-page.tsx';
import { isUnknownAdminPath, PATHS } from '#shared/paths.ts';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { Toaster } from '#shared/ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { ProtectedRoute } from './protected-route.tsx';
import { PAGE } from './routes.ts';
import { Main } from './shell/main.tsx';

/** Shows the 404 for an unknown admin address before `ProtectedRoute` redirects to the sign-in page. */
function KnownAddress() {
  const { pathname } = useLocation();
  return isUnknownAdminPath(pathname) ? <NotFoundPage /> : <Outlet />;
}

export function AppRoutes() {
  return (
    <ErrorBoundary>
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          <Route path={PATHS.auth} element={<PAGE.auth.Component />} />
          <Route path="/verify/:code" element={<PAGE.verify.Component />} />
          <Route path={PATHS.resetPin} element={<PAGE.resetPin.Component />} />
          <Route element={<KnownAddress />}>
            <Route element={<ProtectedRoute />}>
              <Route element={<Main />}>
                <Route path={PATHS.send} element={<PAGE.send.Component />} />
                <Route path={PATHS.sendAlias} element={<PAGE.send.Component />} />
                <Route path={PATHS.dashboard} element={<PAGE.dashboard.Component />} />
                <Route path={PATHS.profile} element={<PAGE.profile.Component />} />
                <Route path={PATHS.security} element={<PAGE.security.Component />} />
                <Route path={PATHS.transactions} element={<PAGE.transactions.Component />} />
                <Route path="/transaction/:id" element={<PAGE.receipt.Component />} />
                <Route path={PATHS.statement} element={<PAGE.statement.Component />} />
                <Route path={PATHS.withdraw} element={<PAGE.withdraw.Component />} />
                <Route path={PATHS.accounts} element={<PAGE.accounts.Component />} />
                <Route path={PATHS.debug} element={<PAGE.debug.Component />} />
              </Route>
              <Route path={`${PATHS.admin}/*`} element={<PAGE.admin.Component />} />
            </Route>
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </Suspense>
      <Toaster />
    </ErrorBoundary>
  );
}

export function AppRouter() {
  return (
    <BrowserRouter>
      <AppRoutes />
    </BrowserRouter>
  );
}
