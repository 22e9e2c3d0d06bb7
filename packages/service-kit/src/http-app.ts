import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { AppError, unavailable } from './app-error.ts';
import { EARLY_HEADERS, NOT_BEGUN_HEADER, refuseUnreadable, sendError } from './http-errors.ts';
import { uuidv7 } from './ids.ts';
import { jsonBodyParser } from './json-body.ts';
import type { Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { Part } from './poll.ts';
import { SERVICE_HEADER, type ServiceTokens } from './service-tokens.ts';

export type HttpApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface HttpAppOptions {
  service: string;
  logger: Logger;
  /** Checks the tokens of internal requests. The gateway has no internal routes and leaves it out. */
  tokens?: Pick<ServiceTokens, 'verify'>;
  /** The dependencies that work requires: a name, and whether it is available. Read by `/health/ready`. */
  checks: Record<string, () => boolean | Promise<boolean>>;
  bodyLimitBytes?: number;
  server?: FastifyServerOptions;
  /** Replaces a failure that the caller may not learn about. */
  judgeFailure?: (failure: unknown, request: FastifyRequest) => Promise<unknown>;
  /** Answers an address without a route; undefined means the usual 404. */
  answerUnknown?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
  metrics?: Metrics;
  /** Resolves once the process is running. Requests wait for it. */
  running?: Promise<void>;
  /** How long a request waits for `running`, ms. */
  startPatienceMs?: number;
  /**
   * The time within which an answer must begin, ms after the request arrived; otherwise the answer is a 503.
   * `atStartMs` is for requests of the first ten seconds, which may have waited for the process before they arrived. No
   * limit by default.
   */
  answerWithin?: { ms: number; atStartMs: number };
  /** Serve `/metrics` here. Off for the gateway, whose port is public. */
  exposeMetrics?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The services that may call an internal route. They may also say on whose behalf they call. */
    calledBy?: readonly string[];
  }
}

const REQUEST_ID = /^[\w.-]{8,80}$/;
const LONGEST_PARAM = 16_384;
/** The longest body that a service reads. */
export const INTERNAL_BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * A Fastify instance with what every service needs: zod, one error shape, request ids, health, metrics, internal
 * access.
 */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const metrics = options.metrics ?? createMetrics(options.service);
  const app: HttpApp = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimitBytes ?? INTERNAL_BODY_LIMIT_BYTES,
    requestTimeout: 30_000,
    // Log lines identify the request by `requestId`. A logger for each request, with its own masks, would slow down
    // every request.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // The schemas limit the length of path parameters; the router's own refusal has another shape.
    routerOptions: { maxParamLength: LONGEST_PARAM },
    // A service continues its caller's id. The public may not choose one: logs find a request by it.
    genReqId: (request) => {
      const given = options.tokens && request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
    },
    // An unreadable address reaches no hook.
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.headers({ ...EARLY_HEADERS, 'x-request-id': request.id })),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => refuseUnreadable(error, socket),
    ...options.server,
  } as FastifyServerOptions) as unknown as HttpApp;
  app.setValidatorCompiler(validatorCompiler);
  // The receiver checks answers between services; only the gateway checks its own.
  app.setSerializerCompiler(options.tokens ? () => JSON.stringify : serializerCompiler);
  app.removeContentTypeParser('text/plain');
  const parseJson = jsonBodyParser(app.getDefaultJsonParser('error', 'error'));
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
  app.setErrorHandler(async (error, request, reply) =>
    sendError(options.judgeFailure ? await options.judgeFailure(error, request) : error, request, reply),
  );
  app.setNotFoundHandler(
    (request, reply) =>
      options.answerUnknown?.(request, reply) ?? sendError(new AppError('address_unknown'), request, reply),
  );
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // A connection kept alive after this answer would delay the stop until its client closes it.
    if (isClosing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    metrics.observeRequest(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime);
  });
  answerInTime(app, options.answerWithin);
  guardInternalRoutes(app, options.tokens);
  waitForStart(app, options);
  addHealth(app, options.checks, () => isClosing);
  if (options.exposeMetrics ?? true) {
    app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  }
  return app;
}

/**
 * Every call to another service has a deadline, but one request may make several calls, one after the other. Unlike Fastify's
 * `handlerTimeout`, this does not cut off an answer that has begun: a slow phone may take minutes to read a file.
 */
function answerInTime(app: HttpApp, within: HttpAppOptions['answerWithin']) {
  if (within === undefined) return;
  const createdMs = performance.now();
  app.addHook('onRequest', (_request, reply, done) => {
    const withinMs = performance.now() - createdMs < STARTS_WITHIN_MS ? within.atStartMs : within.ms;
    const timer = setTimeout(() => {
      if (reply.sent || reply.raw.headersSent) return;
      // When the handler ends after that, Fastify would warn that it answers again.
      reply.raw.once('finish', () => reply.hijack());
      reply.send(unavailable(new Error(`no answer within ${withinMs} ms`)));
    }, withinMs);
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

/** Internal routes are open to the service that answers the public, unless a route's `config.calledBy` says otherwise. */
const DEFAULT_CALLERS = ['gateway'];

function guardInternalRoutes(app: HttpApp, tokens: HttpAppOptions['tokens']) {
  app.addHook('onRequest', async (request) => {
    const { url, config } = request.routeOptions;
    // Checks the matched route, not the raw address: `/%69nternal/` matches the same route.
    if (!url?.startsWith('/internal/')) return;
    const token = request.headers[SERVICE_HEADER];
    const service = tokens && typeof token === 'string' ? await tokens.verify(token) : undefined;
    const allowed = config.calledBy ?? DEFAULT_CALLERS;
    if (service === undefined || !allowed.includes(service)) throw new AppError('not_a_service');
  });
}

/** Shorter than the deadline of any call between services; the caller asks again. */
const START_PATIENCE_MS = 1_000;
/** A process that is not running by then lacks a dependency, and serves the requests that do not need it. */
const STARTS_WITHIN_MS = 10_000;

/**
 * Requests wait while the process starts, since its database may not be migrated yet. A request that has waited too
 * long gets a 503 whose header says that none of its work was begun.
 */
function waitForStart(
  app: HttpApp,
  { running, startPatienceMs = START_PATIENCE_MS }: Pick<HttpAppOptions, 'running' | 'startPatienceMs'>,
) {
  if (running === undefined) return;
  let isStarting = true;
  const started = Promise.race([running, delay(STARTS_WITHIN_MS, undefined, { ref: false })]).then(() => {
    isStarting = false;
  });
  app.addHook('onRequest', async (request, reply) => {
    const { url = '' } = request.routeOptions;
    if (!isStarting || url.startsWith('/health/') || url === '/metrics') return;
    await Promise.race([started, delay(startPatienceMs, undefined, { ref: false })]);
    if (!isStarting) return;
    reply.header(NOT_BEGUN_HEADER, 'true');
    throw unavailable('the process is starting');
  });
}

function addHealth(app: HttpApp, checks: HttpAppOptions['checks'], isClosing: () => boolean) {
  app.get('/health/live', async () => ({ status: 'ok' }));
  let checking: Promise<(readonly [name: string, state: 'up' | 'down'])[]> | undefined;
  /** One check at a time: anyone may ask a gateway, as often as they like. */
  const check = () => {
    checking ??= Promise.all(
      Object.entries(checks).map(async ([name, isUp]) => [name, (await isUp()) ? 'up' : 'down'] as const),
    ).finally(() => {
      checking = undefined;
    });
    return checking;
  };
  app.get('/health/ready', async (_request, reply) => {
    const results = await check();
    const dependencies = Object.fromEntries(results);
    if (isClosing()) return reply.code(503).send({ status: 'stopping', dependencies });
    const ready = results.every(([, state]) => state === 'up');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'waiting', dependencies });
  });
}

/**
 * How long a server that stops still answers, ms: its health says that it is not ready, and each answer closes its
 * connection. A server that closed at once would cut off requests that had just been sent on idle connections.
 */
const LINGER_MS = 250;

/**
 * The HTTP server as a part of a process: starts first, so that liveness answers while dependencies are unavailable.
 * Call it after all routes are registered: their streams end before the server lingers.
 */
export function listeningPart(app: HttpApp, address: { host: string; port: number }): Part {
  const unused = unusedConnections(app);
  const drop = (sockets: Iterable<Socket>) => {
    for (const socket of sockets) if (unused.has(socket)) socket.destroy();
  };
  app.addHook('preClose', async () => {
    // A younger one may have been opened for a request that is on its way.
    const idle = [...unused];
    await delay(LINGER_MS);
    drop(idle);
    setTimeout(() => drop(unused), LINGER_MS).unref();
  });
  return {
    name: 'http',
    stopsFirst: true,
    start: async () => {
      await app.listen(address);
    },
    stop: () => app.close(),
  };
}

/**
 * The connections on which no request has arrived. Browsers open some in advance. Node takes them for busy, and would
 * wait for them when it stops.
 */
function unusedConnections(app: HttpApp): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }: IncomingMessage) => void unused.delete(socket));
  return unused;
}
