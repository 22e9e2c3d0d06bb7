import { Ok } from '@vuka/contracts/http/common';
import {
  LinkedAccount,
  LinkedAccountChange,
  LinkedAccounts,
  NewLinkedAccount,
} from '@vuka/contracts/http/linked-accounts';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';
import { AnyId, knownForm } from '#api/ids.ts';

const tags = ['withdrawals'];

/** The user's own phones and bank accounts for withdrawals. */
export function linkedAccountRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  app.get(
    '/api/linked-accounts',
    { schema: { tags, summary: "The user's linked accounts, defaults first", response: { 200: LinkedAccounts } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      return services.transfers.get('/internal/linked-accounts', LinkedAccounts, { caller });
    },
  );
  app.post(
    '/api/linked-accounts',
    {
      schema: {
        tags,
        summary: 'Link an account',
        body: NewLinkedAccount,
        headers: IdempotencyKey,
        response: { 201: LinkedAccount },
      },
    },
    async (request, reply) => {
      const { pin, ...account } = request.body;
      const { user, caller } = await sessions.require(request, pin);
      limits.allowTransfer(user.id);
      const path = '/internal/linked-accounts';
      const linked = await services.transfers.post(path, account, LinkedAccount, {
        caller,
        key: request.headers['idempotency-key'],
      });
      return reply.code(201).send(linked);
    },
  );
  const change = { tags, params: AnyId, body: LinkedAccountChange, response: { 200: LinkedAccount } };
  app.patch(
    '/api/linked-accounts/:id',
    { schema: { ...change, summary: 'Rename an account, or make it the default' } },
    async (request) => {
      const { caller } = await sessions.require(request);
      const body = { id: knownForm(request.params.id, 'account_not_found'), change: request.body };
      const path = '/internal/linked-accounts/change';
      return services.transfers.post(path, body, LinkedAccount, { caller });
    },
  );
  app.delete(
    '/api/linked-accounts/:id',
    { schema: { tags, summary: 'Deactivate an account', params: AnyId, response: { 200: Ok } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      const body = { id: knownForm(request.params.id, 'account_not_found') };
      return services.transfers.post('/internal/linked-accounts/deactivate', body, Ok, { caller });
    },
  );
}
