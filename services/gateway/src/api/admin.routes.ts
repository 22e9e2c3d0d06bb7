import {
  AdminDepositRequest,
  AdminDepositResult,
  AdminDeposits,
  ChangePinRequest,
  Merchant,
  MerchantsQuery,
  NotificationSettings,
  SystemSettings,
  SystemSettingsChange,
} from '@vuka/contracts/http/admin';
import { Ok, PinConfirmation } from '@vuka/contracts/http/common';
import { LargeCreditAnswer } from '@vuka/contracts/http/credits';
import { IntegrationLogDetail, IntegrationLogs } from '@vuka/contracts/http/integration-logs';
import { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import { NotificationQuery, Notifications } from '@vuka/contracts/http/notifications';
import { RateProposalAnswer, SavedSystemSettings } from '@vuka/contracts/http/proposals';
import { RateHistoryItem, Rates, RatesUpdate } from '@vuka/contracts/http/rates';
import { Receipt, StuckTransactions } from '@vuka/contracts/http/transfers';
import { DepositTaken } from '@vuka/contracts/internal/admin';
import { MerchantPage } from '@vuka/contracts/internal/identity';
import { RatesTaken } from '@vuka/contracts/internal/pricing';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { ADMIN_TAG } from '#access/admin-guard.ts';
import { refuseForeignOrigin } from '#access/same-origin.ts';
import { afterPriceChange } from './after-price-change.ts';
import type { ApiDeps } from './api-deps.ts';
import { IdempotencyKey } from './idempotency-key.ts';
import { AnyId, knownForm } from './ids.ts';
import { nextLink, searchParams } from './search-params.ts';
import { toRates } from './transfers.routes.ts';

/** What administrators do. Each call says who asks; the service that owns the matter decides whether they may. */
export function adminRoutes(app: HttpApp, deps: ApiDeps): void {
  moneyRoutes(app, deps);
  rateRoutes(app, deps);
  merchantRoutes(app, deps);
  settingsRoutes(app, deps);
  notificationRoutes(app, deps);
  operationRoutes(app, deps);
}

const tags = [ADMIN_TAG];

function moneyRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.post(
    '/api/admin/deposit',
    {
      schema: {
        tags,
        summary:
          'Deposit to the own account. 202 where the administrator credits and deposits more than the approval limit ' +
          'in 24 hours: another one has to agree, unless there is none',
        body: AdminDepositRequest,
        headers: IdempotencyKey,
        response: { 201: AdminDepositResult, 202: LargeCreditAnswer },
      },
    },
    async (request, reply) => {
      const { pin, ...deposit } = request.body;
      const { callerToken } = await sessions.requireAdmin(request, pin);
      const body = { ...deposit, key: request.headers['idempotency-key'] };
      const taken = await services.admin.post('/internal/deposits', body, DepositTaken, { caller: callerToken });
      return 'credit' in taken ? reply.code(202).send(taken) : reply.code(201).send(taken);
    },
  );
  app.get('/api/admin/deposits', { schema: { tags, response: { 200: AdminDeposits } } }, async (request) => {
    const { callerToken } = await sessions.requireAdmin(request);
    return services.admin.get('/internal/deposits', AdminDeposits, { caller: callerToken });
  });
}

function rateRoutes(app: HttpApp, deps: ApiDeps): void {
  const { sessions, services } = deps;
  app.get('/api/rates/history', { schema: { tags, response: { 200: z.array(RateHistoryItem) } } }, async (request) => {
    const { callerToken } = await sessions.requireAdmin(request);
    return services.rates.get('/internal/rates/history', z.array(RateHistoryItem), { caller: callerToken });
  });
  app.post(
    '/api/rates/update',
    {
      schema: {
        tags,
        summary:
          'Set the rate. 202 where it changes by more than half: another administrator has to agree. The only ' +
          'administrator is answered 403 pin_required then, and repeats the call with the PIN',
        body: RatesUpdate,
        response: { 200: Rates, 202: RateProposalAnswer },
      },
    },
    async (request, reply) => {
      const { pin, ...rate } = request.body;
      const { callerToken: caller } = await sessions.requireAdmin(request, pin);
      const change = services.rates.post('/internal/rates', rate, RatesTaken, { caller });
      const taken = await afterPriceChange(deps, request, change);
      return 'proposal' in taken ? reply.code(202).send(taken) : toRates(taken);
    },
  );
}

function merchantRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/merchants',
    {
      schema: {
        tags,
        summary: 'Merchants, page by page where a limit is given; x-total-count says how many match',
        querystring: MerchantsQuery,
        response: { 200: z.array(Merchant) },
      },
    },
    async (request, reply) => {
      const { callerToken } = await sessions.requireAdmin(request);
      const path = `/internal/merchants?${searchParams(request.query)}`;
      const page = await services.identity.get(path, MerchantPage, { caller: callerToken });
      reply.header('x-total-count', page.total);
      reply.headers(nextLink('/api/admin/merchants', request.query, page.nextCursor));
      return page.merchants;
    },
  );
  app.post(
    '/api/admin/merchants/:id/toggle-block',
    { schema: { tags, params: AnyId, response: { 200: Merchant } } },
    async (request) => {
      const { callerToken } = await sessions.requireAdmin(request);
      const path = `/internal/merchants/${knownForm(request.params.id, 'Merchant not found')}/toggle-block`;
      return services.identity.post(path, {}, Merchant, { caller: callerToken });
    },
  );
}

function settingsRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.post(
    '/api/admin/step-up',
    {
      schema: {
        tags,
        summary: 'Give the PIN again, after a call was answered step_up_required; then repeat that call',
        body: PinConfirmation,
        response: { 200: Ok },
      },
    },
    async (request) => {
      await sessions.requireAdmin(request, request.body.pin);
      return { ok: true as const };
    },
  );
  app.post(
    '/api/admin/change-pin',
    { schema: { tags, body: ChangePinRequest, response: { 200: Ok } } },
    async (request) => {
      const { callerToken, sessionToken } = await sessions.requireAdmin(request);
      return services.identity.post('/internal/change-pin', { ...request.body, token: sessionToken }, Ok, {
        caller: callerToken,
      });
    },
  );
  app.get(
    '/api/admin/notification-settings',
    { schema: { tags, response: { 200: NotificationSettings } } },
    async (request) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      return services.admin.get('/internal/settings/notification', NotificationSettings, { caller });
    },
  );
  app.post(
    '/api/admin/notification-settings',
    { schema: { tags, body: NotificationSettings, response: { 200: NotificationSettings } } },
    async (request) => {
      const { callerToken: caller } = await sessions.requireAdmin(request);
      return services.admin.post('/internal/settings/notification', request.body, NotificationSettings, { caller });
    },
  );
  systemSettingsRoutes(app, { sessions, services });
}

function systemSettingsRoutes(app: HttpApp, { sessions, services }: Pick<ApiDeps, 'sessions' | 'services'>): void {
  app.get('/api/admin/system-settings', { schema: { tags, response: { 200: SystemSettings } } }, async (request) => {
    const { callerToken: caller } = await sessions.requireAdmin(request);
    return services.admin.get('/internal/settings/system', SystemSettings, { caller });
  });
  app.post(
    '/api/admin/system-settings',
    {
      schema: {
        tags,
        summary:
          'Save the settings. 202 where an approval limit is raised: the rest is saved, and another administrator has ' +
          'to agree. The only administrator is answered 403 pin_required then, and repeats the call with the PIN',
        body: SystemSettingsChange,
        response: { 200: SystemSettings, 202: z.required(SavedSystemSettings, { proposal: true }) },
      },
    },
    async (request, reply) => {
      const { pin, ...settings } = request.body;
      const { callerToken: caller } = await sessions.requireAdmin(request, pin);
      const saved = await services.admin.post('/internal/settings/system', settings, SavedSystemSettings, { caller });
      const { proposal } = saved;
      return proposal ? reply.code(202).send({ ...saved, proposal }) : saved;
    },
  );
}

function notificationRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/notifications',
    { schema: { tags, querystring: NotificationQuery, response: { 200: Notifications } } },
    async (request) => {
      const { callerToken } = await sessions.requireAdmin(request);
      const path = `/internal/notifications?${searchParams(request.query)}`;
      return services.admin.get(path, Notifications, { caller: callerToken });
    },
  );
}

function operationRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const Recent = z.object({
    transactionId: z.optional(z.string().check(z.maxLength(100))),
    generate: z.optional(z.string()),
  });
  app.get(
    '/api/integration-logs/recent',
    { schema: { tags, querystring: Recent, response: { 200: IntegrationLogs } } },
    async (request) => {
      const { callerToken } = await sessions.requireAdmin(request);
      if (request.query.generate !== undefined) refuseForeignOrigin(request);
      return services.integrationLog.get(`/internal/logs?${searchParams(request.query)}`, IntegrationLogs, {
        caller: callerToken,
      });
    },
  );
  app.get(
    '/api/integration-logs/log/:id',
    { schema: { tags, params: AnyId, response: { 200: IntegrationLogDetail } } },
    async (request) => {
      const { callerToken } = await sessions.requireAdmin(request);
      knownForm(request.params.id, 'Log not found');
      return services.integrationLog.get(`/internal/logs/${request.params.id}`, IntegrationLogDetail, {
        caller: callerToken,
      });
    },
  );
  app.get(
    '/api/admin/stuck-transactions',
    { schema: { tags, response: { 200: StuckTransactions } } },
    async (request) => {
      const { callerToken } = await sessions.requireAdmin(request);
      return services.transfers.get('/internal/stuck-transfers', StuckTransactions, { caller: callerToken });
    },
  );
  app.post(
    '/api/admin/transactions/:id/retry',
    { schema: { tags, params: AnyId, response: { 202: Receipt } } },
    async (request, reply) => {
      const { callerToken } = await sessions.requireAdmin(request);
      const path = `/internal/transfers/${knownForm(request.params.id, 'Transaction not found')}/retry`;
      return reply.code(202).send(await services.transfers.post(path, {}, Receipt, { caller: callerToken }));
    },
  );
  app.get('/api/admin/ledger/audit', { schema: { tags, response: { 200: LedgerAudit } } }, async (request) => {
    const { callerToken } = await sessions.requireAdmin(request);
    return services.wallet.get('/internal/audit', LedgerAudit, { caller: callerToken });
  });
}
