import { createReadRecorder } from '@vuka/access/reads';
import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { closingRoutes } from '#closing/closing.routes.ts';
import type { StopDeps } from '#closing/stop-account.ts';
import { depositRoutes } from '#deposits/deposits.routes.ts';
import type { MakeDepositDeps } from '#deposits/make-deposit.ts';
import { eventLogRoutes } from '#event-log/event-log.routes.ts';
import { exportRoutes } from '#export/export.routes.ts';
import { type HistoryRoutesDeps, historyRoutes } from '#history/history.routes.ts';
import { type ReceiptRoutesDeps, receiptRoutes } from '#history/receipts.routes.ts';
import { transfersToRoutes } from '#history/transfers-to.routes.ts';
import { type LimitRoutesDeps, limitRoutes } from '#limits/limits.routes.ts';
import { linkedAccountRoutes } from '#linked-accounts/linked-accounts.routes.ts';
import { type OrderRoutesDeps, orderRoutes } from '#orders/orders.routes.ts';
import { payoutRoutes } from '#payouts/payouts.routes.ts';
import { pricingRoutes } from '#pricing/pricing.routes.ts';
import { quoteRoutes } from '#quotes/quotes.routes.ts';
import { type ReconciliationRoutesDeps, reconciliationRoutes } from '#reconciliation/reconciliation.routes.ts';
import { type RecoveryRoutesDeps, recoveryRoutes } from '#recovery/recovery.routes.ts';
import { callbackRoutes } from '#saga/callbacks.routes.ts';
import type { ReceiveCallbackDeps } from '#saga/receive-callback.ts';
import { type WithdrawalRoutesDeps, withdrawalRoutes } from '#withdrawals/withdrawals.routes.ts';

export type AppDeps = OrderRoutesDeps &
  StopDeps &
  HistoryRoutesDeps &
  ReceiptRoutesDeps &
  MakeDepositDeps &
  LimitRoutesDeps &
  ReceiveCallbackDeps &
  WithdrawalRoutesDeps &
  RecoveryRoutesDeps &
  ReconciliationRoutesDeps &
  Pick<HttpAppOptions, 'checks' | 'metrics'> &
  Required<Pick<HttpAppOptions, 'tokens'>>;

export function buildApp(given: Omit<AppDeps, 'noteReading'>): HttpApp {
  const deps: AppDeps = { ...given, noteReading: createReadRecorder(given, '/vuka/transfers') };
  const app = createHttpApp({ service: 'transfers', ...deps });
  orderRoutes(app, deps);
  closingRoutes(app, deps);
  exportRoutes(app, deps);
  limitRoutes(app, deps);
  quoteRoutes(app, deps);
  pricingRoutes(app, deps);
  historyRoutes(app, deps);
  transfersToRoutes(app, deps);
  receiptRoutes(app, deps);
  depositRoutes(app, deps);
  callbackRoutes(app, deps);
  payoutRoutes(app, deps);
  linkedAccountRoutes(app, deps);
  withdrawalRoutes(app, deps);
  recoveryRoutes(app, deps);
  reconciliationRoutes(app, deps);
  eventLogRoutes(app, deps);
  return app;
}
