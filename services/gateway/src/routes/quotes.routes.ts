import { Quote, QuoteRequest } from '@vuka/contracts/http/quotes';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { IdempotencyKey } from '#api/idempotency-key.ts';

/** Prices that are held for a minute. */
export function quoteRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  const tags = ['prices'];
  app.post(
    '/api/quotes',
    {
      schema: {
        tags,
        summary: 'Hold a price for 60 s',
        body: QuoteRequest,
        headers: IdempotencyKey,
        response: { 201: Quote },
      },
    },
    async (request, reply) => {
      const { user, caller } = await sessions.require(request);
      limits.allowQuote(user.id);
      const quote = await services.transfers.post('/internal/quotes', request.body, Quote, {
        caller,
        key: request.headers['idempotency-key'],
      });
      return reply.code(201).send(quote);
    },
  );
}
