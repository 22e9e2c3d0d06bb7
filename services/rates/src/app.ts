import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { feeRoutes } from '#fees/fees.routes.ts';
import { pricingRoutes } from '#pricing/pricing.routes.ts';
import type { UpdateRatesDeps } from '#pricing/update-rates.ts';

export type AppDeps = UpdateRatesDeps &
  Pick<HttpAppOptions, 'logger' | 'checks' | 'metrics'> &
  Required<Pick<HttpAppOptions, 'tokens'>>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'rates', ...deps });
  pricingRoutes(app, deps);
  feeRoutes(app, deps);
  return app;
}
