import { MerchantLimits, OwnLimits } from '@vuka/contracts/http/limits';
import { BusinessChange, MerchantAccount } from '@vuka/contracts/http/merchants';
import { AllLimits, SetLimits } from '@vuka/contracts/http/tier-limits';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Limits per transaction, day and month: a user's own, and those of each tier. */
export function limitRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/limits',
    { schema: { tags: ['transfers'], summary: 'Your limits, and what is left of them', response: { 200: OwnLimits } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      return services.transfers.get('/internal/limits', OwnLimits, { caller });
    },
  );
  app.get('/api/admin/limits', { schema: { tags, response: { 200: AllLimits } } }, async (request) => {
    const { caller } = await sessions.requireAdmin(request);
    return services.transfers.get('/internal/tier-limits', AllLimits, { caller });
  });
  app.post(
    '/api/admin/limits',
    {
      schema: {
        tags,
        summary:
          'Set the limits of a tier in a currency. 202 if one is raised: another administrator has to approve. The only ' +
          'administrator gets 403 pin_required instead, and repeats the call with the PIN',
        body: SetLimits,
        response: { 200: AllLimits, 202: AllLimits },
      },
    },
    async (request, reply) => {
      const { pin, ...limits } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const answer = await services.transfers.post('/internal/tier-limits', limits, AllLimits, { caller });
      return reply.code(answer.proposal ? 202 : 200).send(answer);
    },
  );
  merchantRoutes(app, { sessions, services });
}

function merchantRoutes(app: HttpApp, { sessions, services }: Pick<ApiDeps, 'sessions' | 'services'>): void {
  app.get(
    '/api/admin/merchants/:id/limits',
    {
      schema: {
        tags,
        summary: "A merchant's limits, and what is left of them",
        params: AnyId,
        response: { 200: MerchantLimits },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const id = knownForm(request.params.id, 'merchant_not_found');
      const { tier, isBusiness } = await services.identity.get(`/internal/merchants/${id}`, MerchantAccount, {
        caller,
      });
      const path = `/internal/limits/of-user?userId=${id}&tier=${tier}`;
      return { ...(await services.transfers.get(path, OwnLimits, { caller })), isBusiness };
    },
  );
  app.post(
    '/api/admin/merchants/:id/business',
    {
      schema: {
        tags,
        summary: 'Give an account the limits of a business, or take them away',
        params: AnyId,
        body: BusinessChange,
        response: { 200: MerchantAccount },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/merchants/${knownForm(request.params.id, 'merchant_not_found')}/business`;
      return services.identity.post(path, request.body, MerchantAccount, { caller });
    },
  );
}
