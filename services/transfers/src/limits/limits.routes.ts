import { adminOf, callerOf, confirmedAdminOf, decidingAdminOf } from '@vuka/access/caller';
import { listProposals } from '@vuka/access/proposals';
import { Id } from '@vuka/contracts/http/common';
import { OwnLimits } from '@vuka/contracts/http/limits';
import { ProposalsQuery } from '@vuka/contracts/http/proposals';
import {
  AllLimits,
  EVERY_LIMIT,
  SetLimits,
  type TierLimits,
  TierLimitsProposalAnswer,
  TierLimitsProposals,
} from '@vuka/contracts/http/tier-limits';
import { Tier } from '@vuka/contracts/http/tiers';
import { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { changeLimits, type DecideLimitsDeps, decideLimits } from './change-limits.ts';
import { findUsage, readLimits } from './limit.store.ts';
import { toLimitsProposal, toOwnLimits, toTierLimits } from './limits.view.ts';

export interface LimitRoutesDeps extends DecideLimitsDeps {}

/** Limits on what users send and receive: a user's own, and those that administrators set. */
export function limitRoutes(app: HttpApp, deps: LimitRoutesDeps): void {
  app.get('/internal/limits', { schema: { response: { 200: OwnLimits } } }, (request) => {
    const { userId, tier } = callerOf(request);
    return usageOf(deps, userId, tier);
  });
  app.get(
    '/internal/limits/of-user',
    { schema: { querystring: z.object({ userId: Id, tier: Tier }), response: { 200: OwnLimits } } },
    (request) => {
      adminOf(request, 'merchants.read');
      return usageOf(deps, request.query.userId, request.query.tier);
    },
  );
  app.get('/internal/tier-limits', { schema: { response: { 200: AllLimits } } }, async (request) => {
    adminOf(request, 'limits.read');
    return { limits: await allLimits(deps) };
  });
  app.post('/internal/tier-limits', { schema: { body: SetLimits, response: { 200: AllLimits } } }, async (request) => {
    const caller = confirmedAdminOf(request, 'limits.change');
    const proposal = await changeLimits(deps, request.body, caller);
    const limits = await allLimits(deps);
    return proposal ? { limits, proposal: toLimitsProposal(proposal, caller.userId, deps.now()) } : { limits };
  });
  proposalRoutes(app, deps);
}

function proposalRoutes(app: HttpApp, deps: LimitRoutesDeps): void {
  app.get(
    '/internal/tier-limit-proposals',
    { schema: { querystring: ProposalsQuery, response: { 200: TierLimitsProposals } } },
    async (request) => {
      const { userId } = adminOf(request, 'limits.read');
      const at = deps.now();
      const { rows, nextCursor } = await listProposals<TierLimits>(deps.db, request.query, at);
      return { proposals: rows.map((row) => toLimitsProposal(row, userId, at)), nextCursor };
    },
  );
  app.post(
    '/internal/tier-limit-proposals/decide',
    { schema: { body: DecisionRequest, response: { 200: TierLimitsProposalAnswer } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'limits.decide');
      const decided = await decideLimits(deps, request.body, caller);
      return { proposal: toLimitsProposal(decided, caller.userId, deps.now()) };
    },
  );
}

async function usageOf({ db, now }: LimitRoutesDeps, userId: string, tier: Tier): Promise<OwnLimits> {
  const table = await readLimits(db);
  const at = now();
  const limits = WALLET_CURRENCIES.map(async (currency) => {
    const [sent, received] = await Promise.all([
      findUsage(db, { userId, currency, side: 'out' }),
      findUsage(db, { userId, currency, side: 'in' }),
    ]);
    return toOwnLimits({ currency, limits: table(tier, currency), sent, received }, at);
  });
  return { tier, limits: await Promise.all(limits) };
}

async function allLimits({ db }: LimitRoutesDeps): Promise<TierLimits[]> {
  const table = await readLimits(db);
  return EVERY_LIMIT.map((each) => toTierLimits(each, table(each.tier, each.currency)));
}
