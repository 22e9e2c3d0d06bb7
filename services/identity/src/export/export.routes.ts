import { accountActorOf } from '@vuka/access/caller';
import { ExportedPerson } from '@vuka/contracts/http/account-export';
import { AccountOfUser } from '@vuka/contracts/internal/account-closing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { IdentityDeps } from '#deps.ts';
import { exportPerson } from './export-person.ts';

/** A person's data, for themselves with the PIN, or for an administrator. */
export function exportRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.post(
    '/internal/accounts/export',
    { schema: { body: AccountOfUser, response: { 200: ExportedPerson } } },
    async (request) => {
      const { userId } = request.body;
      const caller = accountActorOf(request, { userId, right: 'merchants.export' });
      const person = await exportPerson(deps, userId, caller);
      deps.kickRelay();
      return person;
    },
  );
}
