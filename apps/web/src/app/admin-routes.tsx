import { Route, Routes } from 'react-router-dom';
import { NotFoundPage } from '#pages/not-found-page.tsx';
import { PATHS } from '#shared/paths.ts';
import { page } from './page.ts';
import { AdminShell } from './shell/admin-shell.tsx';

const PAGE = {
  admin: page(() => import('#pages/admin/overview-page.tsx'), 'OverviewPage'),
  adminDeposits: page(() => import('#pages/admin/deposits-page.tsx'), 'DepositsPage'),
  exchangeRates: page(() => import('#pages/admin/exchange-rates-page.tsx'), 'ExchangeRatesPage'),
  creditMerchant: page(() => import('#pages/admin/credit-merchant-page.tsx'), 'CreditMerchantPage'),
  merchants: page(() => import('#pages/admin/merchants-page.tsx'), 'MerchantsPage'),
  adminWithdrawals: page(() => import('#pages/admin/withdrawals-page.tsx'), 'WithdrawalsPage'),
  reconciliation: page(() => import('#pages/admin/reconciliation-page.tsx'), 'ReconciliationPage'),
  adjustments: page(() => import('#pages/admin/adjustments-page.tsx'), 'AdjustmentsPage'),
  adminFees: page(() => import('#pages/admin/fees-page.tsx'), 'FeesPage'),
  adminLimits: page(() => import('#pages/admin/limits-page.tsx'), 'LimitsPage'),
  merchant: page(() => import('#pages/admin/merchant-page.tsx'), 'MerchantPage'),
  transfersTo: page(() => import('#pages/admin/transfers-to-page.tsx'), 'TransfersToPage'),
  transaction: page(() => import('#pages/admin/transaction-page.tsx'), 'TransactionPage'),
  adminSettings: page(() => import('#pages/admin/settings-page.tsx'), 'SettingsPage'),
  integrationLogs: page(() => import('#pages/admin/integration-logs-page.tsx'), 'IntegrationLogsPage'),
  notifications: page(() => import('#pages/admin/notifications-page.tsx'), 'NotificationsPage'),
  transactionRecovery: page(() => import('#pages/admin/transaction-recovery-page.tsx'), 'TransactionRecoveryPage'),
  queues: page(() => import('#pages/admin/queues-page.tsx'), 'QueuesPage'),
  auditTrail: page(() => import('#pages/admin/audit-trail-page.tsx'), 'AuditTrailPage'),
  apiKeys: page(() => import('#pages/admin/api-keys-page.tsx'), 'ApiKeysPage'),
  failureLab: page(() => import('#pages/admin/failure-lab-page.tsx'), 'FailureLabPage'),
} as const;

/** The path of an admin page below the admin area's own. */
const inAdmin = (path: string) => path.slice(PATHS.admin.length + 1);

/** The admin area. */
export function AdminRoutes() {
  return (
    <Routes>
      <Route element={<AdminShell />}>
        <Route index element={<PAGE.admin.Component />} />
        <Route path={inAdmin(PATHS.adminDeposits)} element={<PAGE.adminDeposits.Component />} />
        <Route path={inAdmin(PATHS.exchangeRates)} element={<PAGE.exchangeRates.Component />} />
        <Route path={inAdmin(PATHS.creditMerchant)} element={<PAGE.creditMerchant.Component />} />
        <Route path={inAdmin(PATHS.merchants)} element={<PAGE.merchants.Component />} />
        <Route path={inAdmin(PATHS.adminWithdrawals)} element={<PAGE.adminWithdrawals.Component />} />
        <Route path={inAdmin(PATHS.adminFees)} element={<PAGE.adminFees.Component />} />
        <Route path={inAdmin(PATHS.adminLimits)} element={<PAGE.adminLimits.Component />} />
        <Route path={inAdmin(PATHS.reconciliation)} element={<PAGE.reconciliation.Component />} />
        <Route path={inAdmin(PATHS.adjustments)} element={<PAGE.adjustments.Component />} />
        <Route path={inAdmin(`${PATHS.merchants}/:id`)} element={<PAGE.merchant.Component />} />
        <Route path={inAdmin(`${PATHS.admin}/transactions`)} element={<PAGE.transfersTo.Component />} />
        <Route path={inAdmin(`${PATHS.admin}/transactions/:id`)} element={<PAGE.transaction.Component />} />
        <Route path={inAdmin(PATHS.adminSettings)} element={<PAGE.adminSettings.Component />} />
        <Route path={inAdmin(PATHS.integrationLogs)} element={<PAGE.integrationLogs.Component />} />
        <Route path={inAdmin(PATHS.notifications)} element={<PAGE.notifications.Component />} />
        <Route path={inAdmin(PATHS.transactionRecovery)} element={<PAGE.transactionRecovery.Component />} />
        <Route path={inAdmin(PATHS.queues)} element={<PAGE.queues.Component />} />
        <Route path={inAdmin(PATHS.auditTrail)} element={<PAGE.auditTrail.Component />} />
        <Route path={inAdmin(PATHS.apiKeys)} element={<PAGE.apiKeys.Component />} />
        <Route path={inAdmin(PATHS.failureLab)} element={<PAGE.failureLab.Component />} />
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
