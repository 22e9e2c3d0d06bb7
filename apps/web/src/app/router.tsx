import { Suspense } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { NotFoundPage } from '#pages/not-found-page.tsx';
import { PATHS } from '#shared/paths.ts';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { Toaster } from '#shared/ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { ProtectedRoute } from './protected-route.tsx';
import { PAGE } from './routes.ts';
import { Main } from './shell/main.tsx';

export function AppRoutes() {
  return (
    <ErrorBoundary>
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          <Route path={PATHS.auth} element={<PAGE.auth.Component />} />
          <Route path="/verify/:code" element={<PAGE.verify.Component />} />
          <Route path={PATHS.resetPin} element={<PAGE.resetPin.Component />} />
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
            <Route element={<PAGE.adminShell.Component />}>
              <Route path={PATHS.admin} element={<PAGE.admin.Component />} />
              <Route path={PATHS.adminDeposits} element={<PAGE.adminDeposits.Component />} />
              <Route path={PATHS.exchangeRates} element={<PAGE.exchangeRates.Component />} />
              <Route path={PATHS.creditMerchant} element={<PAGE.creditMerchant.Component />} />
              <Route path={PATHS.merchants} element={<PAGE.merchants.Component />} />
              <Route path={PATHS.adminWithdrawals} element={<PAGE.adminWithdrawals.Component />} />
              <Route path={PATHS.adminFees} element={<PAGE.adminFees.Component />} />
              <Route path={PATHS.adminLimits} element={<PAGE.adminLimits.Component />} />
              <Route path={PATHS.reconciliation} element={<PAGE.reconciliation.Component />} />
              <Route path={`${PATHS.merchants}/:id`} element={<PAGE.merchant.Component />} />
              <Route path={PATHS.adminSettings} element={<PAGE.adminSettings.Component />} />
              <Route path={PATHS.integrationLogs} element={<PAGE.integrationLogs.Component />} />
              <Route path={PATHS.notifications} element={<PAGE.notifications.Component />} />
              <Route path={PATHS.transactionRecovery} element={<PAGE.transactionRecovery.Component />} />
              <Route path={PATHS.queues} element={<PAGE.queues.Component />} />
              <Route path={PATHS.auditTrail} element={<PAGE.auditTrail.Component />} />
              <Route path={PATHS.apiKeys} element={<PAGE.apiKeys.Component />} />
              <Route path={PATHS.failureLab} element={<PAGE.failureLab.Component />} />
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
