import { adminOf, confirmedAdminOf, decidingAdminOf } from '@vuka/access/caller';
import { listProposals } from '@vuka/access/proposals';
import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { ProposalsQuery, RateProposalAnswer, RateProposals } from '@vuka/contracts/http/proposals';
import { RateDays, RateHistoryItem, RatesUpdate } from '@vuka/contracts/http/rates';
import { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { Pricing, RatesTaken } from '@vuka/contracts/internal/pricing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { type DecideRatesDeps, decideRateProposal } from './decide-rate-proposal.ts';
import type { EnteredRate } from './large-change.domain.ts';
import { getPricing, listRateChanges, RATE_PAIR } from './pricing.store.ts';
import { firstDayStart, rateDays } from './rate-days.domain.ts';
import { toRateProposal } from './rate-proposal.view.ts';
import { RATE_PROPOSALS, updateRates } from './update-rates.ts';

export type PricingRoutesDeps = DecideRatesDeps;

const RateBody = z.omit(RatesUpdate, { pin: true });

export function pricingRoutes(app: HttpApp, deps: PricingRoutesDeps): void {
  app.get(
    '/internal/pricing',
    { config: { calledBy: ['gateway', 'transfers'] }, schema: { response: { 200: Pricing } } },
    () => getPricing(deps.db),
  );
  app.post('/internal/rates', { schema: { body: RateBody, response: { 200: RatesTaken } } }, async (request) => {
    const caller = confirmedAdminOf(request, 'rates.set');
    const taken = await updateRates(deps, request.body, caller);
    return taken.kind === 'in_force'
      ? taken.pricing
      : { proposal: toRateProposal(taken.proposal, caller.userId, deps.now()) };
  });
  app.get('/internal/rates/days', { schema: { response: { 200: RateDays } } }, async () => {
    const nowMs = deps.now().getTime();
    return rateDays(await listRateChanges(deps.db, firstDayStart(nowMs)), nowMs);
  });
  app.get('/internal/rates/history', { schema: { response: { 200: z.array(RateHistoryItem) } } }, async (request) => {
    adminOf(request, 'rates.read');
    const rows = await deps.db
      .selectFrom('rate_history')
      .selectAll()
      .where('source_currency', '=', RATE_PAIR.source_currency)
      .orderBy('version', 'desc')
      .limit(LIST_SIZES.rateHistory)
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
  proposalRoutes(app, deps);
}

function proposalRoutes(app: HttpApp, deps: PricingRoutesDeps): void {
  app.get(
    '/internal/rate-proposals',
    { schema: { querystring: ProposalsQuery, response: { 200: RateProposals } } },
    async (request) => {
      const { userId } = adminOf(request, 'rates.read');
      const at = deps.now();
      const page = await listProposals<EnteredRate>(deps.db, { ...request.query, subject: RATE_PROPOSALS }, at);
      return { proposals: page.rows.map((row) => toRateProposal(row, userId, at)), nextCursor: page.nextCursor };
    },
  );
  app.post(
    '/internal/rate-proposals/decide',
    { schema: { body: DecisionRequest, response: { 200: RateProposalAnswer } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'rates.decide');
      const decided = await decideRateProposal(deps, request.body, caller);
      return { proposal: toRateProposal(decided, caller.userId, deps.now()) };
    },
  );
}
