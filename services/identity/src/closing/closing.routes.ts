import { accountActorOf, callerOf } from '@vuka/access/caller';
import { Id, Ok } from '@vuka/contracts/http/common';
import { CodeSent } from '@vuka/contracts/http/contact-verification';
import { AccountClosing, AccountState } from '@vuka/contracts/internal/account-closing';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { IdentityDeps } from '#deps.ts';
import { findUser } from '#users/user.store.ts';
import { closeAccount, sendClosingCode } from './close-account.ts';

/** Closing an account: by its merchant, or by an administrator for them. */
export function closingRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.post('/internal/accounts/close-code', { schema: { response: { 200: CodeSent } } }, async (request) => {
    const sent = await sendClosingCode(deps, callerOf(request).userId);
    deps.kickRelay();
    return sent;
  });
  app.get(
    '/internal/accounts/:userId/state',
    {
      config: { calledBy: ['transfers'] },
      schema: { params: z.object({ userId: Id }), response: { 200: AccountState } },
    },
    async (request) => {
      const user = await findUser(deps.db, request.params.userId);
      if (!user) throw new AppError('merchant_not_found');
      return { isClosed: user.closed_at !== null, isBlocked: user.is_blocked };
    },
  );
  app.post('/internal/accounts/close', { schema: { body: AccountClosing, response: { 200: Ok } } }, async (request) => {
    const { userId } = request.body;
    const caller = accountActorOf(request, { userId, right: 'merchants.close' });
    await closeAccount(deps, request.body, caller);
    deps.kickRelay();
    return { ok: true as const };
  });
}
