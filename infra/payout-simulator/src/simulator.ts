import { createHash, timingSafeEqual } from 'node:crypto';
import type { Database } from '@vuka/service-kit/database';
import { createHttpApp, type HttpApp } from '@vuka/service-kit/http-app';
import type { Logger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import type { Part } from '@vuka/service-kit/poll';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { accountRoutes } from '#account/account.routes.ts';
import { statementRoutes } from '#account/statements.routes.ts';
import { releaseCallbacks } from '#callbacks/callback.store.ts';
import { createCallbackSender } from '#callbacks/callback-sender.ts';
import { loadSigningKey, type SigningKey } from '#callbacks/signing-key.ts';
import { controlRoutes } from '#control/control.routes.ts';
import { createScenarios } from '#control/scenarios.ts';
import { createNetworks, openWallets } from '#networks/networks.ts';
import { failureReason } from './answers/payout.view.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { createBadAnswers } from './payouts/bad-answers.ts';
import { createEngine } from './payouts/engine.ts';
import { inquiryRoutes } from './payouts/inquiries.routes.ts';
import { createPaymentReports } from './payouts/payment-reports.ts';
import { initiationRoutes, type PayoutDeps } from './payouts/payouts.routes.ts';

export interface SimulatorOptions {
  database: Database<Schema>;
  logger: Logger;
  token: string;
  delayMs: number;
  callbackUrl?: string | undefined;
  /** Every payment is reported to this address, before its callback is sent. */
  paymentsUrl?: string | undefined;
  now?: () => Date;
}

export interface Simulator {
  app: HttpApp;
  /** Starts when the database is available; all state is in it. */
  part: Part;
}

/** A clock that runs evenly even if this machine's clock is set, like that of an external provider. */
function ownClock(): () => Date {
  const aheadMs = Date.now() - performance.now();
  return () => new Date(performance.now() + aheadMs);
}

/** pawaPay's Merchant API v2 on one machine, with simulated money. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { database, logger, now = ownClock() } = options;
  const { db } = database;
  let signingKey: SigningKey | undefined;
  const key = () => {
    if (!signingKey) throw new Error('the simulator has not started');
    return signingKey;
  };
  const callbackUrl = options.callbackUrl === undefined ? undefined : new URL(options.callbackUrl);
  const sender = callbackUrl ? createCallbackSender({ db, logger, url: callbackUrl, key, now }) : undefined;
  const networks = createNetworks(db);
  const scenarios = createScenarios({ db, logger, now });
  const reports = options.paymentsUrl === undefined ? undefined : createPaymentReports(db, options.paymentsUrl);
  const engine = createEngine({ db, logger, now, sender, reports });
  const badAnswers = createBadAnswers();
  const deps: PayoutDeps = { db, now, delayMs: options.delayMs, networks, scenarios, engine, sender, badAnswers };

  const app = createHttpApp({
    service: 'payout-simulator',
    logger,
    checks: { database: async () => signingKey !== undefined && (await database.ping()) },
  });
  app.addHook('preClose', async () => badAnswers.close());
  app.register((scope, _options, done) => {
    scope.addHook('onRequest', checkToken(options.token));
    scope.setErrorHandler(answerLikePawapay);
    initiationRoutes(scope as unknown as HttpApp, deps);
    inquiryRoutes(scope as unknown as HttpApp, deps);
    accountRoutes(scope as unknown as HttpApp, { db, networks, key, callbackUrl });
    statementRoutes({ authorised: scope as unknown as HttpApp, open: app }, { db, now });
    done();
  });
  controlRoutes(app, { db, scenarios, networks });

  const part: Part = {
    name: 'simulator',
    async start() {
      await migrate(db as unknown as Kysely<never>, migrations, logger);
      await openWallets(db);
      await networks.load();
      await scenarios.load();
      await releaseCallbacks(db, now());
      signingKey = await loadSigningKey(db);
      await engine.start();
    },
    async stop() {
      await engine.stop();
      await sender?.close();
    },
  };
  return { app, part };
}

const PUBLIC_PATH = '/v2/public-key/http';

function checkToken(token: string) {
  const digestOf = (text: string) => createHash('sha256').update(text).digest();
  const expected = digestOf(`Bearer ${token}`);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.routeOptions.url === PUBLIC_PATH) return;
    const given = request.headers.authorization;
    if (!given) return reply.code(401).send(failureReason('NO_AUTHENTICATION', 'Authorization is missing'));
    if (!timingSafeEqual(digestOf(given), expected)) {
      return reply.code(403).send(failureReason('AUTHENTICATION_ERROR', 'The token is not valid'));
    }
  };
}

function answerLikePawapay(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) {
    return reply.code(400).send(failureReason('INVALID_INPUT', 'The request could not be read'));
  }
  request.log.warn({ err: error }, 'a request failed');
  return reply.code(500).send(failureReason('UNKNOWN_ERROR', 'Unable to process the request'));
}
