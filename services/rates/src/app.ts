import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { feeRoutes } from '#fees/fees.routes.ts';
import { type PricingRoutesDeps, pricingRoutes } from '#pricing/pricing.routes.ts';

export type AppDeps = PricingRoutesDeps &
  Pick<HttpAppOptions, 'logger' | 'checks' | 'metrics'> &
  Required<Pick<HttpAppOptions, 'tokens'>>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'rates', ...deps });
  pricingRoutes(app, deps);
  feeRoutes(app, deps);
  return app;
}
