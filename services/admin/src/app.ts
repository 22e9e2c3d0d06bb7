import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { auditTrailRoutes } from '#audit-trail/audit-trail.routes.ts';
import { type DepositRoutesDeps, depositRoutes } from '#deposits/deposits.routes.ts';
import { notificationRoutes } from '#notifications/notifications.routes.ts';
import { type QueueRoutesDeps, queueRoutes } from '#queues/queues.routes.ts';
import { type SettingsRoutesDeps, settingsRoutes } from '#settings/settings.routes.ts';

export type AppDeps = DepositRoutesDeps &
  SettingsRoutesDeps &
  QueueRoutesDeps &
  Pick<HttpAppOptions, 'checks' | 'metrics'>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'admin', ...deps });
  depositRoutes(app, deps);
  settingsRoutes(app, deps);
  notificationRoutes(app, deps);
  auditTrailRoutes(app, deps);
  queueRoutes(app, deps);
  return app;
}
