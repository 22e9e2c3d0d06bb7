import { RateProposalAnswer } from '@vuka/contracts/http/proposals';
import { RateDays, RateHistoryItem, Rates, RatesUpdate } from '@vuka/contracts/http/rates';
import { Pricing, RatesTaken } from '@vuka/contracts/internal/pricing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { afterPriceChange } from '#api/after-price-change.ts';
import type { ApiDeps } from '#api/api-deps.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

/** The exchange rates: for signed-in users, and for administrators who set them. */
export function rateRoutes(app: HttpApp, deps: ApiDeps): void {
  const { sessions, services } = deps;
  const tags = [ADMIN_TAG];
  app.get(
    '/api/rates',
    { schema: { tags: ['prices'], summary: 'Current rates', response: { 200: Rates } } },
    async (request) => {
      await sessions.require(request);
      return toRates(await services.rates.get('/internal/pricing', Pricing));
    },
  );
  app.get(
    '/api/rates/days',
    {
      schema: {
        tags: ['prices'],
        summary: 'The closing rate of each of the last 30 days, and whose rate is the best of the week',
        response: { 200: RateDays },
      },
    },
    async (request) => {
      await sessions.require(request);
      return services.rates.get('/internal/rates/days', RateDays);
    },
  );
  app.get('/api/rates/history', { schema: { tags, response: { 200: z.array(RateHistoryItem) } } }, async (request) => {
    const { caller } = await sessions.requireAdmin(request);
    return services.rates.get('/internal/rates/history', z.array(RateHistoryItem), { caller });
  });
  app.post(
    '/api/rates/update',
    {
      schema: {
        tags,
        summary:
          'Set the rate. 202 if it changes by more than half: another administrator has to approve. The only ' +
          'administrator gets 403 pin_required instead, and repeats the call with the PIN',
        body: RatesUpdate,
        response: { 200: Rates, 202: RateProposalAnswer },
      },
    },
    async (request, reply) => {
      const { pin, ...rate } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const change = services.rates.post('/internal/rates', rate, RatesTaken, { caller });
      const taken = await afterPriceChange(deps, request, change);
      return 'proposal' in taken ? reply.code(202).send(taken) : toRates(taken);
    },
  );
}

export function toRates(pricing: Pricing): Rates {
  const sellRate = Number(pricing.kesToTzs);
  return {
    kesToTzs: sellRate,
    tzsToKes: Number(pricing.tzsToKes),
    sellRate,
    buyRate: Number(pricing.buyRate),
    markup: Number(pricing.markup),
    updatedAt: pricing.updatedAt,
  };
}
