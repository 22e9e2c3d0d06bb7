import { accountActorOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { AccountOfUser, AccountResuming, AccountStopped } from '@vuka/contracts/internal/account-closing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { resumeAccount, type StopDeps, stopAccount } from './stop-account.ts';

/** Stops an account before it is closed, and lets it resume if it is not. */
export function closingRoutes(app: HttpApp, deps: StopDeps): void {
  const right = 'merchants.close';
  app.post(
    '/internal/accounts/stop',
    { schema: { body: AccountOfUser, response: { 200: AccountStopped } } },
    async (request) => {
      const { userId } = request.body;
      accountActorOf(request, { userId, right });
      const { closeBefore, resumesAt } = await stopAccount(deps, userId);
      return { closeBefore: closeBefore.toISOString(), resumesAt: resumesAt?.toISOString() ?? null };
    },
  );
  app.post(
    '/internal/accounts/resume',
    { schema: { body: AccountResuming, response: { 200: Ok } } },
    async (request) => {
      const { userId, stopped } = request.body;
      accountActorOf(request, { userId, right });
      await resumeAccount(deps, userId, stopped ? new Date(stopped) : null);
      return { ok: true as const };
    },
  );
}
