import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { adjustmentRoutes } from '#adjustments/adjustments.routes.ts';
import type { AdjustmentDeps } from '#adjustments/book-adjustment.ts';
import { auditTrailRoutes } from '#audit-trail/audit-trail.routes.ts';
import { closingRoutes } from '#closing/closing.routes.ts';
import { type CreditRoutesDeps, creditRoutes } from '#credits/credits.routes.ts';
import { depositRoutes } from '#deposits/deposits.routes.ts';
import { exportRoutes } from '#export/export.routes.ts';
import { type FailureLabRoutesDeps, failureLabRoutes } from '#failure-lab/failure-lab.routes.ts';
import { type NotificationRoutesDeps, notificationRoutes } from '#notifications/notifications.routes.ts';
import { type QueueRoutesDeps, queueRoutes } from '#queues/queues.routes.ts';
import { type SettingsRoutesDeps, settingsRoutes } from '#settings/settings.routes.ts';

export type AppDeps = CreditRoutesDeps &
  AdjustmentDeps &
  SettingsRoutesDeps &
  QueueRoutesDeps &
  FailureLabRoutesDeps &
  NotificationRoutesDeps &
  Pick<HttpAppOptions, 'checks' | 'metrics'> &
  Required<Pick<HttpAppOptions, 'tokens'>>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'admin', ...deps });
  depositRoutes(app, deps);
  adjustmentRoutes(app, deps);
  closingRoutes(app, deps);
  exportRoutes(app, deps);
  creditRoutes(app, deps);
  settingsRoutes(app, deps);
  notificationRoutes(app, deps);
  auditTrailRoutes(app, deps);
  queueRoutes(app, deps);
  failureLabRoutes(app, deps);
  return app;
}
