import { RateHistoryItem, RatesUpdate } from '@vuka/contracts/http/rates';
import { Pricing } from '@vuka/contracts/internal/pricing';
import { adminOf, confirmedAdminOf, type HttpApp } from '@vuka/service-kit/http-app';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import * as z from 'zod/mini';
import { getPricing, RATE_PAIR } from './pricing.store.ts';
import { type UpdateRatesDeps, updateRates } from './update-rates.ts';

const HISTORY_LIMIT = 500;

export function pricingRoutes(app: HttpApp, deps: UpdateRatesDeps & { tokens: InternalTokens }): void {
  app.get('/internal/pricing', { schema: { response: { 200: Pricing } } }, () => getPricing(deps.db));
  app.post('/internal/rates', { schema: { body: RatesUpdate, response: { 200: Pricing } } }, (request) => {
    return updateRates(deps, { ...request.body, admin: confirmedAdminOf(request, deps.tokens) });
  });
  app.get('/internal/rates/history', { schema: { response: { 200: z.array(RateHistoryItem) } } }, async (request) => {
    adminOf(request, deps.tokens);
    const rows = await deps.db
      .selectFrom('rate_history')
      .selectAll()
      .where('source_currency', '=', RATE_PAIR.source_currency)
      .orderBy('version', 'desc')
      .limit(HISTORY_LIMIT)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at.toISOString(),
      buyRate: Number(row.rate),
      markup: Number(row.markup),
      sellRate: Number(row.effective_rate),
      updatedByName: row.updated_by_name,
    }));
  });
}
