import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { type LogsDeps, logsRoutes } from '#logs/logs.routes.ts';

export type AppDeps = LogsDeps &
  Pick<HttpAppOptions, 'logger' | 'checks' | 'metrics'> &
  Required<Pick<HttpAppOptions, 'tokens'>>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'integration-log', ...deps });
  logsRoutes(app, deps);
  return app;
}
