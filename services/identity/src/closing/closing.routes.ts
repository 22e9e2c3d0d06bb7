import { accountActorOf, callerOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { CodeSent } from '@vuka/contracts/http/contact-verification';
import { AccountClosing } from '@vuka/contracts/internal/account-closing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { IdentityDeps } from '#deps.ts';
import { closeAccount, sendClosingCode } from './close-account.ts';

/** Closing an account: by its merchant, or by an administrator for them. */
export function closingRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.post('/internal/accounts/close-code', { schema: { response: { 200: CodeSent } } }, async (request) => {
    const sent = await sendClosingCode(deps, callerOf(request, deps.tokens).userId);
    deps.kickRelay();
    return sent;
  });
  app.post('/internal/accounts/close', { schema: { body: AccountClosing, response: { 200: Ok } } }, async (request) => {
    const { userId } = request.body;
    const caller = accountActorOf(request, deps.tokens, { userId, right: 'merchants.close' });
    await closeAccount(deps, request.body, caller);
    deps.kickRelay();
    return { ok: true as const };
  });
}
