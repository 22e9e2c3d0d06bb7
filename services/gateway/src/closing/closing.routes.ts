import { CloseAccount, CloseMerchant } from '@vuka/contracts/http/account-closing';
import { Ok } from '@vuka/contracts/http/common';
import { CodeSent } from '@vuka/contracts/http/contact-verification';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';
import { clearSessionCookie } from '#guards/cookies.ts';
import { closeAccount } from './close-account.ts';

const tags = ['account'];

/** Closing an account for good: by its merchant, or by an administrator for them. */
export function closingRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  app.post(
    '/api/account/close-code',
    {
      schema: { tags, summary: 'Send the code that closes the account', response: { 200: CodeSent } },
      config: limits.registrationOrCode,
    },
    async (request) => {
      const { caller } = await sessions.require(request);
      return services.identity.post('/internal/accounts/close-code', {}, CodeSent, { caller });
    },
  );
  app.post(
    '/api/account/close',
    {
      schema: {
        tags,
        summary: 'Close the own account for good; refused while it has money or open transfers',
        body: CloseAccount,
        response: { 200: Ok },
      },
      config: limits.registrationOrCode,
    },
    async (request, reply) => {
      const { pin, code } = request.body;
      const { user, caller } = await sessions.require(request, pin);
      await closeAccount(services, { userId: user.id, ...(code ? { code } : {}) }, caller);
      clearSessionCookie(request, reply);
      return { ok: true as const };
    },
  );
  app.post(
    '/api/admin/merchants/:id/close',
    {
      schema: {
        tags: [ADMIN_TAG],
        summary: 'Close the account of a merchant who asked for it',
        params: AnyId,
        body: CloseMerchant,
        response: { 200: Ok },
      },
    },
    async (request) => {
      const { pin, reason } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const userId = knownForm(request.params.id, 'merchant_not_found');
      await closeAccount(services, { userId, reason }, caller);
      return { ok: true as const };
    },
  );
}
