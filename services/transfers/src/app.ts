import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { historyRoutes, operationRoutes, orderRoutes, type TransferRoutesDeps } from '#transfers/transfers.routes.ts';

export type AppDeps = TransferRoutesDeps & Pick<HttpAppOptions, 'checks' | 'metrics'>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'transfers', ...deps });
  orderRoutes(app, deps);
  historyRoutes(app, deps);
  operationRoutes(app, deps);
  return app;
}
