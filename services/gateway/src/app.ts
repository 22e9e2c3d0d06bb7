import cookie from '@fastify/cookie';
import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { callbackRoutes } from '#callbacks/callbacks.routes.ts';
import { closingRoutes } from '#closing/closing.routes.ts';
import { exportRoutes } from '#export/export.routes.ts';
import { type FeedRoutesDeps, feedRoutes } from '#feed/feed.routes.ts';
import { logAuthentication, noteRefusal } from '#guards/access-log.ts';
import { guardAdminRoutes } from '#guards/admin-guard.ts';
import { createOrderGate } from '#guards/order-gate.ts';
import { addRateLimits } from '#guards/rate-limits.ts';
import { noteRefusals } from '#guards/refused-orders.ts';
import { refuseForeignOrigins } from '#guards/same-origin.ts';
import { askSessionFirst } from '#guards/session-first.ts';
import { tellSessionEnd } from '#guards/sessions.ts';
import { limitWrites } from '#guards/write-limits.ts';
import { type LiveRoutesDeps, liveRoutes } from '#live/live.routes.ts';
import { addOpenApi, serveOpenApi } from '#openapi/serve-openapi.ts';
import { aboutRoute } from '#routes/about.routes.ts';
import { accountRoutes } from '#routes/accounts.routes.ts';
import { adjustmentRoutes } from '#routes/adjustments.routes.ts';
import { administratorRoutes } from '#routes/administrators.routes.ts';
import { apiKeyRoutes } from '#routes/api-keys.routes.ts';
import { approvalRoutes } from '#routes/approvals.routes.ts';
import { auditTrailRoutes } from '#routes/audit-trail.routes.ts';
import { balanceRoutes } from '#routes/balances.routes.ts';
import { creditRoutes } from '#routes/credits.routes.ts';
import { depositRoutes } from '#routes/deposits.routes.ts';
import { failureLabRoutes } from '#routes/failure-lab.routes.ts';
import { feeRoutes } from '#routes/fees.routes.ts';
import { historyRoutes } from '#routes/history.routes.ts';
import { integrationLogRoutes } from '#routes/integration-logs.routes.ts';
import { ledgerAuditRoute } from '#routes/ledger-audit.routes.ts';
import { limitRoutes } from '#routes/limits.routes.ts';
import { linkedAccountRoutes } from '#routes/linked-accounts.routes.ts';
import { merchantRoutes } from '#routes/merchants.routes.ts';
import { notificationRoutes } from '#routes/notifications.routes.ts';
import { orderRoutes } from '#routes/orders.routes.ts';
import { overviewRoute } from '#routes/overview.routes.ts';
import { pinRoutes } from '#routes/pins.routes.ts';
import { queueRoutes } from '#routes/queues.routes.ts';
import { quoteRoutes } from '#routes/quotes.routes.ts';
import { rateRoutes } from '#routes/rates.routes.ts';
import { receiptRoutes } from '#routes/receipts.routes.ts';
import { recipientRoutes } from '#routes/recipients.routes.ts';
import { reconciliationRoutes } from '#routes/reconciliation.routes.ts';
import { recoveryRoutes } from '#routes/recovery.routes.ts';
import { secondFactorRoutes } from '#routes/second-factors.routes.ts';
import { settingsRoutes } from '#routes/settings.routes.ts';
import { withdrawalRoutes } from '#routes/withdrawals.routes.ts';
import { statementRoutes } from '#statements/statements.routes.ts';
import { addSecurityHeaders, answerPage, serveWebApp, trimApiAnswers } from '#web/web-app.ts';
import { contactVerificationRoutes } from './routes/contact-verification.routes.ts';
import { sessionRoutes } from './routes/sessions.routes.ts';

export interface AppDeps
  extends LiveRoutesDeps,
    FeedRoutesDeps,
    Omit<ApiDeps, 'limits' | 'orderGate'>,
    Pick<HttpAppOptions, 'logger' | 'metrics' | 'running'> {
  rateLimitFactor: number;
  trustProxy: false | string;
  webRoot: string;
}

const BODY_LIMIT_BYTES = 64 * 1024;

/** The public API, area by area. */
const API_ROUTES = [
  aboutRoute,
  accountRoutes,
  adjustmentRoutes,
  administratorRoutes,
  apiKeyRoutes,
  approvalRoutes,
  auditTrailRoutes,
  balanceRoutes,
  closingRoutes,
  contactVerificationRoutes,
  creditRoutes,
  depositRoutes,
  exportRoutes,
  failureLabRoutes,
  feeRoutes,
  historyRoutes,
  integrationLogRoutes,
  ledgerAuditRoute,
  linkedAccountRoutes,
  merchantRoutes,
  notificationRoutes,
  orderRoutes,
  overviewRoute,
  pinRoutes,
  queueRoutes,
  quoteRoutes,
  limitRoutes,
  rateRoutes,
  receiptRoutes,
  recipientRoutes,
  reconciliationRoutes,
  recoveryRoutes,
  secondFactorRoutes,
  sessionRoutes,
  settingsRoutes,
  withdrawalRoutes,
];

/**
 * Clients do not repeat a request that is still under way, and give up after ten seconds: two remain for a busy machine
 * and the way back. While a gateway starts, the proxy in front may hold a request for up to four of these, and three remain.
 */
const ANSWER_WITHIN = { ms: 8_000, atStartMs: 3_000 };

export async function buildApp(deps: AppDeps): Promise<HttpApp> {
  const askFirst = askSessionFirst(deps.sessions);
  const app = createHttpApp({
    service: 'gateway',
    logger: deps.logger,
    checks: deps.checks,
    startPatienceMs: ANSWER_WITHIN.atStartMs,
    answerWithin: ANSWER_WITHIN,
    ...(deps.running === undefined ? {} : { running: deps.running }),
    bodyLimitBytes: BODY_LIMIT_BYTES,
    exposeMetrics: false,
    judgeFailure: async (failure, request) => {
      const judged = await askFirst(failure, request);
      noteRefusal(judged, request);
      return judged;
    },
    answerUnknown: answerPage(deps.webRoot),
    server: { trustProxy: deps.trustProxy },
    ...(deps.metrics ? { metrics: deps.metrics } : {}),
  });
  addSecurityHeaders(app, deps.webRoot);
  await app.register(cookie);
  const limits = await addRateLimits(app, deps.rateLimitFactor, deps.sessions.knownSessionOf);
  refuseForeignOrigins(app);
  trimApiAnswers(app);
  limitWrites(app);
  tellSessionEnd(app, deps.sessions);
  logAuthentication(app);
  guardAdminRoutes(app, deps.sessions);
  await addOpenApi(app);
  const { identity, transfers } = deps.services;
  const orderGate = noteRefusals(
    createOrderGate({ isPaused: () => identity.isAwaited || transfers.isAwaited }),
    deps.logger,
  );
  deps.metrics?.expectAnswer('POST', '/api/transactions/create', 503);
  deps.metrics?.gauge('vuka_order_limit', 'Orders that may be in flight at once', () => orderGate.limit);
  const { sessions, services, signIns, merchantLists, checks } = deps;
  const api: ApiDeps = { sessions, services, signIns, merchantLists, checks, limits, orderGate };
  for (const addRoutes of API_ROUTES) addRoutes(app, api);
  statementRoutes(app, api);
  liveRoutes(app, deps);
  feedRoutes(app, deps);
  callbackRoutes(app, { transfers: deps.services.transfers });
  serveOpenApi(app);
  await serveWebApp(app, deps.webRoot);
  return app;
}
