import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { type DepositRoutesDeps, depositRoutes } from '#deposits/deposits.routes.ts';
import { notificationRoutes } from '#notifications/notifications.routes.ts';
import { type SettingsRoutesDeps, settingsRoutes } from '#settings/settings.routes.ts';

export type AppDeps = DepositRoutesDeps & SettingsRoutesDeps & Pick<HttpAppOptions, 'checks' | 'metrics'>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'admin', ...deps });
  depositRoutes(app, deps);
  settingsRoutes(app, deps);
  notificationRoutes(app, deps);
  return app;
}
