import { adminOf, type Caller, confirmedAdminOf, decidingAdminOf } from '@vuka/access/caller';
import { Administrators, RoleAnswer, RoleChange } from '@vuka/contracts/http/administrators';
import { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { AdministratorNow, RoleChanged } from '@vuka/contracts/internal/identity';
import { reason } from '@vuka/contracts/texts/reason';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { IdentityDeps } from '#deps.ts';
import { findAdministrator, listAdministrators } from './administrator.store.ts';
import { changeRole, decideRole } from './change-role.ts';
import { roleNow } from './role.store.ts';

const AdministratorId = z.object({ id: z.uuid({ error: reason('administrator_unknown') }) });

export function administratorRoutes(app: HttpApp, deps: IdentityDeps): void {
  async function show(caller: Caller, userId: string) {
    const administrator = await findAdministrator(deps.db, userId, { callerId: caller.userId, now: deps.now() });
    if (!administrator) throw new AppError('administrator_unknown');
    return { administrator };
  }

  app.get('/internal/administrators', { schema: { response: { 200: Administrators } } }, async (request) => {
    const { userId: callerId } = adminOf(request, 'administrators.read');
    return { administrators: await listAdministrators(deps.db, { callerId, now: deps.now() }) };
  });
  // Called by a service before it carries out what an administrator requested earlier.
  app.get(
    '/internal/administrators/:id/now',
    {
      config: { calledBy: ['admin', 'rates', 'transfers'] },
      schema: { params: AdministratorId, response: { 200: AdministratorNow } },
    },
    async (request) => ({ role: await roleNow(deps.db, request.params.id) }),
  );
  app.post(
    '/internal/administrators/:id/role',
    { schema: { params: AdministratorId, body: RoleChange, response: { 200: RoleChanged } } },
    async (request) => {
      const caller = confirmedAdminOf(request, 'administrators.manage');
      const { id: userId } = request.params;
      const { isWaiting } = await changeRole(deps, caller, { userId, role: request.body.role });
      return { isWaiting, ...(await show(caller, userId)) };
    },
  );
  app.post(
    '/internal/role-proposals/decide',
    { schema: { body: DecisionRequest, response: { 200: RoleAnswer } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'administrators.manage');
      const { userId } = await decideRole(deps, caller, request.body);
      return show(caller, userId);
    },
  );
}
