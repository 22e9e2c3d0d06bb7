import { setTimeout as delay } from 'node:timers/promises';
import { type CallbackAnswer, CallbackAnswers, type ProviderCallback } from '@vuka/contracts/internal/transfers';
import { addressBlockOf } from '@vuka/service-kit/address-block';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { createBatcher, WITHIN_BODY } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { rateLimited } from '#guards/rate-limits.ts';
import { createSuspects } from './suspects.ts';

/** The answers to refused callbacks: just enough for the provider to know whether to send them again. */
const REFUSALS: Record<number, () => AppError> = {
  400: () => new AppError('callback_unreadable'),
  401: () => new AppError('callback_unsigned'),
  404: () => new AppError('address_unknown'),
  503: () => unavailable(),
};

/** A callback of pawaPay has 1 to 2 KB. */
const BODY_LIMIT_BYTES = 16 * 1024;
const REFUSED = new Set([400, 401, 404, 413]);

/** A provider does not notice this delay; callbacks that arrive together are settled together. */
const PACE_MS = 25;
/** For all suspect addresses together: callbacks checked at once, and callbacks that may wait. */
const SUSPECT_LANE = { maxBatch: 4, maxQueue: 32 };

const WAIT_SECONDS = 5;

/**
 * `POST /api/callbacks/{provider}`: a provider reports the outcome of a payout. Passed on unchanged, since its
 * signature covers the raw bytes; answered only after transfers has committed it.
 */
export function callbackRoutes(app: HttpApp, deps: { transfers: ServiceClient }): void {
  const judge = createJudge(deps.transfers);
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.addHook('onRequest', async (request) => judge.refuseExcess(addressBlockOf(request.ip)));
    scope.addHook('onResponse', async (request, reply) => {
      if (REFUSED.has(reply.statusCode)) judge.noteRefusal(addressBlockOf(request.ip));
    });
    scope.post(
      '/api/callbacks/:provider',
      {
        schema: { hide: true, params: z.object({ provider: z.string().check(z.regex(/^[a-z]{2,20}$/)) }) },
        config: { rateLimit: false },
        bodyLimit: BODY_LIMIT_BYTES,
      },
      async (request, reply) => {
        const { provider } = request.params as { provider: string };
        const answer = await judge.submit(addressBlockOf(request.ip), toCallback(provider, request));
        const refusal = REFUSALS[answer.status];
        if (refusal) throw refusal();
        return reply.code(answer.status).send(answer.body ?? '');
      },
    );
    done();
  });
}

/**
 * Has callbacks checked by transfers. Addresses with many recent refusals share a separate lane, a few callbacks at a
 * time: a flood costs little, and a provider that shares an address with its source is still served.
 */
function createJudge(transfers: ServiceClient) {
  const suspects = createSuspects();
  const run = async (items: ProviderCallback[]) => {
    const answer = await transfers.post('/internal/provider-callbacks-batch', { items }, CallbackAnswers);
    return answer.results;
  };
  const lane = createBatcher<ProviderCallback, CallbackAnswer>({
    concurrency: 2,
    maxBatch: 200,
    paceMs: PACE_MS,
    ...WITHIN_BODY,
    run,
  });
  const suspectLane = createBatcher<ProviderCallback, CallbackAnswer>({
    ...SUSPECT_LANE,
    async run(items) {
      await delay(PACE_MS);
      return run(items);
    },
  });

  function refuseExcess(address: string): void {
    if (suspects.isSuspect(address) && suspectLane.waiting >= SUSPECT_LANE.maxQueue) throw rateLimited(WAIT_SECONDS);
  }
  return {
    noteRefusal: suspects.noteRefusal,
    /** Throws rate_limited, before the body is read, if too many callbacks of suspect addresses are waiting. */
    refuseExcess,
    submit(address: string, callback: ProviderCallback): Promise<CallbackAnswer> {
      if (!suspects.isSuspect(address)) return lane.submit(callback);
      refuseExcess(address);
      return suspectLane.submit(callback);
    },
  };
}

function toCallback(provider: string, request: FastifyRequest): ProviderCallback {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    provider,
    method: request.method,
    path: request.url.split('?')[0] ?? '',
    headers: Object.fromEntries(headers),
    bodyBase64: (request.body instanceof Buffer ? request.body : Buffer.alloc(0)).toString('base64'),
  };
}
