import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import { feeRoutes } from '#fees/fees.routes.ts';
import { pricingRoutes } from '#pricing/pricing.routes.ts';
import type { UpdateRatesDeps } from '#pricing/update-rates.ts';

export type AppDeps = UpdateRatesDeps & Pick<HttpAppOptions, 'logger' | 'checks'> & { tokens: InternalTokens };

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'rates', logger: deps.logger, tokens: deps.tokens, checks: deps.checks });
  pricingRoutes(app, deps);
  feeRoutes(app, deps);
  return app;
}
