import cookie from '@fastify/cookie';
import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { guardAdminRoutes } from '#access/admin-guard.ts';
import { createOrderDoor } from '#access/order-door.ts';
import { addRateLimits } from '#access/rate-limits.ts';
import { refuseForeignOrigins } from '#access/same-origin.ts';
import { askSessionFirst } from '#access/session-first.ts';
import { tellSessionEnd } from '#access/sessions.ts';
import { limitWrites } from '#access/write-limits.ts';
import { apiKeyRoutes } from '#admin/api-keys.routes.ts';
import { auditTrailRoutes } from '#admin/audit-trail.routes.ts';
import { creditRoutes } from '#admin/credits.routes.ts';
import { failureLabRoutes } from '#admin/failure-lab.routes.ts';
import { merchantRoutes } from '#admin/merchant.routes.ts';
import { queueRoutes } from '#admin/queues.routes.ts';
import { reconciliationRoutes } from '#admin/reconciliation.routes.ts';
import { recoveryRoutes } from '#admin/recovery.routes.ts';
import { reviewRoutes } from '#admin/reviews.routes.ts';
import { aboutRoute } from '#api/about.routes.ts';
import { accountRoutes } from '#api/account.routes.ts';
import { adminRoutes } from '#api/admin.routes.ts';
import { adminWithdrawalRoutes } from '#api/admin-withdrawals.routes.ts';
import type { ApiDeps } from '#api/api-deps.ts';
import { addOpenApi, serveOpenApi } from '#api/openapi.ts';
import { overviewRoute } from '#api/overview.routes.ts';
import { receiptRoutes } from '#api/receipts.routes.ts';
import { recipientRoutes } from '#api/recipients.routes.ts';
import { transferRoutes } from '#api/transfers.routes.ts';
import { withdrawalRoutes } from '#api/withdrawals.routes.ts';
import { callbackRoutes } from '#callbacks/callbacks.routes.ts';
import { type FeedRoutesDeps, feedRoutes } from '#feed/feed.routes.ts';
import { type LiveRoutesDeps, liveRoutes } from '#live/live.routes.ts';
import { statementRoutes } from '#statements/statements.routes.ts';
import { addSecurityHeaders, answerPage, keepOutOfCaches, serveWebApp } from '#web/web-app.ts';

export interface AppDeps
  extends LiveRoutesDeps,
    FeedRoutesDeps,
    Omit<ApiDeps, 'limits' | 'orderDoor'>,
    Pick<HttpAppOptions, 'logger' | 'metrics'> {
  rateLimitFactor: number;
  trustProxy: false | string;
  webRoot: string;
}

const BODY_LIMIT_BYTES = 64 * 1024;

export async function buildApp(deps: AppDeps): Promise<HttpApp> {
  const app = createHttpApp({
    service: 'gateway',
    logger: deps.logger,
    checks: deps.checks,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    exposeMetrics: false,
    judgeFailure: askSessionFirst(deps.sessions),
    answerUnknown: answerPage(deps.webRoot),
    server: { trustProxy: deps.trustProxy },
    ...(deps.metrics ? { metrics: deps.metrics } : {}),
  });
  addSecurityHeaders(app, deps.webRoot);
  await app.register(cookie);
  const limits = await addRateLimits(app, deps.rateLimitFactor);
  refuseForeignOrigins(app);
  keepOutOfCaches(app);
  limitWrites(app);
  tellSessionEnd(app, deps.sessions);
  guardAdminRoutes(app, deps.sessions);
  await addOpenApi(app);
  const orderDoor = createOrderDoor();
  deps.metrics?.gauge('vuka_order_limit', 'Orders that may be under way at once', () => orderDoor.limit);
  const { sessions, services, signIns, checks } = deps;
  const api: ApiDeps = { sessions, services, signIns, checks, limits, orderDoor };
  aboutRoute(app, api);
  accountRoutes(app, api);
  transferRoutes(app, api);
  receiptRoutes(app, api);
  statementRoutes(app, api);
  recipientRoutes(app, api);
  withdrawalRoutes(app, api);
  adminRoutes(app, api);
  creditRoutes(app, api);
  reviewRoutes(app, api);
  adminWithdrawalRoutes(app, api);
  overviewRoute(app, api);
  auditTrailRoutes(app, api);
  apiKeyRoutes(app, api);
  queueRoutes(app, api);
  merchantRoutes(app, api);
  recoveryRoutes(app, api);
  reconciliationRoutes(app, api);
  failureLabRoutes(app, api);
  liveRoutes(app, deps);
  feedRoutes(app, deps);
  callbackRoutes(app, { transfers: deps.services.transfers });
  serveOpenApi(app);
  await serveWebApp(app, deps.webRoot);
  return app;
}
