import { Ok } from '@vuka/contracts/http/common';
import {
  LinkedAccount,
  LinkedAccountChange,
  LinkedAccounts,
  NewLinkedAccount,
} from '@vuka/contracts/http/linked-accounts';
import {
  CreatedWithdrawal,
  CreateWithdrawal,
  WithdrawalPrice,
  WithdrawalPriceQuery,
  Withdrawals,
  WithdrawalsQuery,
} from '@vuka/contracts/http/withdrawals';
import { WithdrawalOrdered } from '@vuka/contracts/internal/withdrawals';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from './api-deps.ts';
import { AnyId, knownForm } from './ids.ts';
import { searchParams } from './search-params.ts';

const tags = ['withdrawals'];

/** Taking money out of a wallet, and the accounts that it can go to. */
export function withdrawalRoutes(app: HttpApp, deps: ApiDeps): void {
  linkedAccountRoutes(app, deps);
  orderRoutes(app, deps);
}

function linkedAccountRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  app.get(
    '/api/linked-accounts',
    { schema: { tags, summary: 'Own linked accounts, defaults first', response: { 200: LinkedAccounts } } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      return services.transfers.get('/internal/linked-accounts', LinkedAccounts, { caller: callerToken });
    },
  );
  app.post(
    '/api/linked-accounts',
    { schema: { tags, summary: 'Link an account', body: NewLinkedAccount, response: { 201: LinkedAccount } } },
    async (request, reply) => {
      const { pin, ...account } = request.body;
      const { user, callerToken } = await sessions.require(request, pin);
      limits.allowTransfer(user.id);
      const path = '/internal/linked-accounts';
      const linked = await services.transfers.post(path, account, LinkedAccount, { caller: callerToken });
      return reply.code(201).send(linked);
    },
  );
  const change = { tags, params: AnyId, body: LinkedAccountChange, response: { 200: LinkedAccount } };
  app.patch(
    '/api/linked-accounts/:id',
    { schema: { ...change, summary: 'Rename an account, or make it the default' } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      const body = { id: knownForm(request.params.id, 'Linked account not found'), change: request.body };
      const path = '/internal/linked-accounts/change';
      return services.transfers.post(path, body, LinkedAccount, { caller: callerToken });
    },
  );
  app.delete(
    '/api/linked-accounts/:id',
    { schema: { tags, summary: 'Take an account out of use', params: AnyId, response: { 200: Ok } } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      const body = { id: knownForm(request.params.id, 'Linked account not found') };
      return services.transfers.post('/internal/linked-accounts/deactivate', body, Ok, { caller: callerToken });
    },
  );
}

function orderRoutes(app: HttpApp, { sessions, services, limits, orderDoor }: ApiDeps): void {
  app.get(
    '/api/withdrawals/price',
    {
      schema: {
        tags,
        summary: 'What a withdrawal would cost now',
        querystring: WithdrawalPriceQuery,
        response: { 200: WithdrawalPrice },
      },
    },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      const path = `/internal/withdrawals/price?${searchParams(request.query)}`;
      return services.transfers.get(path, WithdrawalPrice, { caller: callerToken });
    },
  );
  app.post(
    '/api/withdrawals',
    {
      schema: {
        tags,
        summary: 'Withdraw money; the same clientTransactionId again is the same withdrawal',
        body: CreateWithdrawal,
        response: { 200: CreatedWithdrawal, 201: CreatedWithdrawal },
      },
    },
    async (request, reply) => {
      const { pin, ...order } = request.body;
      const check = async () => {
        const { user, callerToken } = await sessions.require(request, pin);
        limits.allowTransfer(user.id);
        return callerToken;
      };
      const { created, withdrawal } = await orderDoor.letThrough(order.clientTransactionId, check, (caller) =>
        services.transfers.post('/internal/withdrawals', order, WithdrawalOrdered, { caller }),
      );
      return reply.code(created ? 201 : 200).send({ withdrawal });
    },
  );
  app.get(
    '/api/withdrawals',
    {
      schema: {
        tags,
        summary: 'Own withdrawals, newest first',
        querystring: WithdrawalsQuery,
        response: { 200: Withdrawals },
      },
    },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      const path = `/internal/withdrawals?${searchParams(request.query)}`;
      return services.transfers.get(path, Withdrawals, { caller: callerToken });
    },
  );
}
