import { callerOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { LinkedAccount, LinkedAccounts } from '@vuka/contracts/http/linked-accounts';
import { AccountAddress, AccountChange, AccountToLink } from '@vuka/contracts/internal/withdrawals';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { idempotencyKeyOf } from '@vuka/service-kit/idempotency-key';
import { changeAccount, removeAccount } from './change-account.ts';
import { type LinkAccountDeps, linkAccount } from './link-account.ts';
import { listLinkedAccounts } from './linked-account.store.ts';

/** The accounts that a user can withdraw to. */
export function linkedAccountRoutes(app: HttpApp, deps: LinkAccountDeps): void {
  app.get('/internal/linked-accounts', { schema: { response: { 200: LinkedAccounts } } }, async (request) => ({
    accounts: await listLinkedAccounts(deps.db, callerOf(request).userId),
  }));
  app.post(
    '/internal/linked-accounts',
    { schema: { body: AccountToLink, response: { 201: LinkedAccount } } },
    async (request, reply) => {
      const caller = callerOf(request);
      const key = idempotencyKeyOf(request);
      return reply.code(201).send(await linkAccount(deps, request.body, { caller, key }));
    },
  );
  app.post(
    '/internal/linked-accounts/change',
    { schema: { body: AccountChange, response: { 200: LinkedAccount } } },
    (request) => {
      const { userId } = callerOf(request);
      return changeAccount(deps, userId, request.body);
    },
  );
  app.post(
    '/internal/linked-accounts/deactivate',
    { schema: { body: AccountAddress, response: { 200: Ok } } },
    async (request) => {
      await removeAccount(deps, callerOf(request).userId, request.body.id);
      return { ok: true as const };
    },
  );
}
