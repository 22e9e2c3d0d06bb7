import { AdjustmentAnswer, Adjustments, AdjustmentsQuery } from '@vuka/contracts/http/adjustments';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { LargeCreditAnswer, LargeCredits, LargeCreditsQuery } from '@vuka/contracts/http/credits';
import {
  LimitProposalAnswer,
  LimitProposals,
  ProposalsQuery,
  RateProposalAnswer,
  RateProposals,
  RefuseProposal,
} from '@vuka/contracts/http/proposals';
import { TierLimitsProposalAnswer, TierLimitsProposals } from '@vuka/contracts/http/tier-limits';
import type { PlainReason } from '@vuka/contracts/texts/catalogue';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { afterPriceChange } from '#api/after-price-change.ts';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

/** A kind of request that one administrator makes and another decides on. */
interface Review {
  path: string;
  /** Its name in the API description, singular and plural. */
  name: string;
  names: string;
  notFound: PlainReason;
  owner: ServiceClient;
  ownPath: string;
  query: z.ZodMiniType;
  list: z.ZodMiniType;
  answer: z.ZodMiniType;
  /** Runs after a decision, before it is answered. */
  after?: (request: FastifyRequest, decision: Promise<unknown>) => Promise<unknown>;
}

const tags = [ADMIN_TAG];

/** Lists of requests that wait for another administrator, and decisions on them. */
export function approvalRoutes(app: HttpApp, deps: ApiDeps): void {
  const { admin, rates, transfers } = deps.services;
  addReview(app, deps, {
    path: '/api/admin/credits',
    name: 'a large credit or deposit',
    names: 'Credits and deposits above the approval limit',
    notFound: 'credit_not_found',
    owner: admin,
    ownPath: '/internal/large-credits',
    query: LargeCreditsQuery,
    list: LargeCredits,
    answer: LargeCreditAnswer,
  });
  addReview(app, deps, {
    path: '/api/admin/adjustments',
    name: 'an adjustment of the books',
    names: 'Adjustments of the books',
    notFound: 'adjustment_not_found',
    owner: admin,
    ownPath: '/internal/adjustments',
    query: AdjustmentsQuery,
    list: Adjustments,
    answer: AdjustmentAnswer,
  });
  const proposals = { notFound: 'proposal_not_found', query: ProposalsQuery } as const;
  addReview(app, deps, {
    ...proposals,
    path: '/api/admin/rate-proposals',
    name: 'a proposed rate',
    names: 'Proposed rates',
    owner: rates,
    ownPath: '/internal/rate-proposals',
    list: RateProposals,
    answer: RateProposalAnswer,
    after: (request, decision) => afterPriceChange(deps, request, decision),
  });
  addReview(app, deps, {
    ...proposals,
    path: '/api/admin/limit-proposals',
    name: 'proposed approval limits',
    names: 'Proposed approval limits',
    owner: admin,
    ownPath: '/internal/limit-proposals',
    list: LimitProposals,
    answer: LimitProposalAnswer,
  });
  addReview(app, deps, {
    ...proposals,
    path: '/api/admin/tier-limit-proposals',
    name: 'proposed limits of a tier',
    names: 'Proposed limits of tiers',
    owner: transfers,
    ownPath: '/internal/tier-limit-proposals',
    list: TierLimitsProposals,
    answer: TierLimitsProposalAnswer,
  });
}

interface Decision {
  kind: 'approve' | 'refuse';
  pin: string;
}

function addReview(app: HttpApp, { sessions }: ApiDeps, review: Review): void {
  const { path, owner, ownPath, answer, after = (_, decision) => decision } = review;
  app.get(
    path,
    {
      schema: {
        tags,
        summary: `${review.names} of one status, page by page`,
        querystring: review.query,
        response: { 200: review.list },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return owner.get(`${ownPath}?${searchParams(request.query as Record<string, string>)}`, review.list, { caller });
    },
  );
  async function decide(request: FastifyRequest, id: string, { pin, ...decision }: Decision) {
    const { caller } = await sessions.requireAdmin(request, pin);
    const order = { id: knownForm(id, review.notFound), decision };
    return after(request, owner.post(`${ownPath}/decide`, order, answer, { caller }));
  }
  const schema = { tags, params: AnyId, response: { 200: answer } };
  app.post(
    `${path}/:id/approve`,
    { schema: { ...schema, summary: `Approve ${review.name} of another administrator`, body: PinConfirmation } },
    (request) => decide(request, request.params.id, { kind: 'approve', ...request.body }),
  );
  app.post(
    `${path}/:id/refuse`,
    { schema: { ...schema, summary: `Refuse ${review.name} of another administrator`, body: RefuseProposal } },
    (request) => decide(request, request.params.id, { kind: 'refuse', ...request.body }),
  );
}
