import { type CallbackAnswer, CallbackAnswers, type ProviderCallback } from '@vuka/contracts/internal/transfers';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import * as z from 'zod/mini';

/** What a provider is told of a callback that was not taken: no more than it takes to send it again, or not to. */
const REFUSALS: Record<number, () => AppError> = {
  400: () => new AppError('validation_failed', 'This callback could not be read.'),
  401: () => new AppError('unauthenticated', 'The signature of this callback is not valid.'),
  404: () => new AppError('not_found', 'There is nothing at this address.'),
  503: () => unavailable(),
};

/** A provider waits this long without noticing; callbacks that come together are settled together. */
const PACE_MS = 25;

/**
 * `POST /api/callbacks/{provider}`: a provider tells us what became of a payout. Passed on as it came, since its
 * signature covers the raw bytes; answered only when transfers has written it.
 */
export function callbackRoutes(app: HttpApp, deps: { transfers: ServiceClient }): void {
  const callbacks = createBatcher<ProviderCallback, CallbackAnswer>({
    concurrency: 2,
    maxBatch: 200,
    paceMs: PACE_MS,
    async run(items) {
      const answer = await deps.transfers.post('/internal/provider-callbacks-batch', { items }, CallbackAnswers);
      return answer.results;
    },
  });
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/callbacks/:provider',
      {
        schema: { hide: true, params: z.object({ provider: z.string().check(z.regex(/^[a-z]{2,20}$/)) }) },
        config: { rateLimit: false },
      },
      async (request, reply) => {
        const { provider } = request.params as { provider: string };
        const answer = await callbacks.submit({
          provider,
          method: request.method,
          path: request.url.split('?')[0] ?? '',
          headers: Object.fromEntries(
            Object.entries(request.headers).map(([name, value]) => [
              name,
              Array.isArray(value) ? value.join(', ') : (value ?? ''),
            ]),
          ),
          bodyBase64: (request.body instanceof Buffer ? request.body : Buffer.alloc(0)).toString('base64'),
        });
        const refusal = REFUSALS[answer.status];
        if (refusal) throw refusal();
        return reply.code(answer.status).send(answer.body ?? '');
      },
    );
    done();
  });
}
