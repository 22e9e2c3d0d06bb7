import { Administrators, RoleAnswer, RoleChange } from '@vuka/contracts/http/administrators';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { RefuseProposal } from '@vuka/contracts/http/proposals';
import { RoleChanged } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** The administrators: what can be done about a locked one, and their roles. */
export function administratorRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/administrators',
    {
      schema: {
        tags,
        summary: 'The administrators, and what can be done about a locked one',
        response: { 200: Administrators },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.identity.get('/internal/administrators', Administrators, { caller });
    },
  );
  app.post(
    '/api/admin/administrators/:id/role',
    {
      schema: {
        tags,
        summary: "Change an administrator's role. 202 if it moves money and another owner has to approve",
        params: AnyId,
        body: RoleChange,
        response: { 200: RoleAnswer, 202: RoleAnswer },
      },
    },
    async (request, reply) => {
      const { pin, role } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const id = knownForm(request.params.id, 'administrator_unknown');
      const path = `/internal/administrators/${id}/role`;
      const { isWaiting, ...answer } = await services.identity.post(path, { role }, RoleChanged, { caller });
      return reply.code(isWaiting ? 202 : 200).send(answer);
    },
  );
  decisionRoutes(app, { sessions, services });
}

function decisionRoutes(app: HttpApp, { sessions, services }: Pick<ApiDeps, 'sessions' | 'services'>): void {
  interface Decision {
    kind: 'approve' | 'refuse';
    pin: string;
  }
  async function decide(request: FastifyRequest, proposal: string, { pin, ...decision }: Decision) {
    const { caller } = await sessions.requireAdmin(request, pin);
    const id = knownForm(proposal, 'proposal_not_found');
    return services.identity.post('/internal/role-proposals/decide', { id, decision }, RoleAnswer, { caller });
  }
  const schema = { tags, params: AnyId, response: { 200: RoleAnswer } };
  app.post(
    '/api/admin/role-proposals/:id/approve',
    { schema: { ...schema, summary: 'Approve a role that another owner proposed', body: PinConfirmation } },
    (request) => decide(request, request.params.id, { kind: 'approve', ...request.body }),
  );
  app.post(
    '/api/admin/role-proposals/:id/refuse',
    { schema: { ...schema, summary: 'Refuse a role that another owner proposed', body: RefuseProposal } },
    (request) => decide(request, request.params.id, { kind: 'refuse', ...request.body }),
  );
}
