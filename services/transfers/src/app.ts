import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { eventLogRoutes } from '#event-log/event-log.routes.ts';
import { linkedAccountRoutes } from '#linked-accounts/linked-accounts.routes.ts';
import { type ReceiptRoutesDeps, receiptRoutes } from '#receipts/receipts.routes.ts';
import { type ReconciliationRoutesDeps, reconciliationRoutes } from '#reconciliation/reconciliation.routes.ts';
import { type RecoveryRoutesDeps, recoveryRoutes } from '#recovery/recovery.routes.ts';
import { historyRoutes, operationRoutes, orderRoutes, type TransferRoutesDeps } from '#transfers/transfers.routes.ts';
import { type WithdrawalRoutesDeps, withdrawalRoutes } from '#withdrawals/withdrawals.routes.ts';

export type AppDeps = TransferRoutesDeps &
  ReceiptRoutesDeps &
  WithdrawalRoutesDeps &
  RecoveryRoutesDeps &
  ReconciliationRoutesDeps &
  Pick<HttpAppOptions, 'checks' | 'metrics'>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'transfers', ...deps });
  orderRoutes(app, deps);
  historyRoutes(app, deps);
  receiptRoutes(app, deps);
  operationRoutes(app, deps);
  linkedAccountRoutes(app, deps);
  withdrawalRoutes(app, deps);
  recoveryRoutes(app, deps);
  reconciliationRoutes(app, deps);
  eventLogRoutes(app, deps);
  return app;
}
