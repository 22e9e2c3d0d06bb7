import { Pricing } from '@vuka/contracts/internal/pricing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { PricingCopy } from './pricing-copy.ts';

export function pricingRoutes(app: HttpApp, { pricing }: { pricing: PricingCopy }): void {
  app.get('/internal/pricing', { schema: { response: { 200: Pricing } } }, () => pricing.current());
  // The gateway calls this before it answers a price change, so that the next order uses the new prices.
  app.post('/internal/pricing/refresh', { schema: { response: { 200: Pricing } } }, () => pricing.latest());
}
