import { callerOf } from '@vuka/access/caller';
import { Quote, QuoteRequest } from '@vuka/contracts/http/quotes';
import { parseMoney } from '@vuka/money';
import { answerOnce } from '@vuka/service-kit/first-answers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { idempotencyKeyOf } from '@vuka/service-kit/idempotency-key';
import type { Db, Schema } from '#db/schema.ts';
import { type CreateQuoteDeps, createQuote } from './create-quote.ts';
import { toQuote } from './quote.store.ts';

export function quoteRoutes(app: HttpApp, deps: CreateQuoteDeps & { db: Db }): void {
  app.post('/internal/quotes', { schema: { body: QuoteRequest, response: { 201: Quote } } }, async (request, reply) => {
    const { userId } = callerOf(request);
    const { direction, sourceAmount } = request.body;
    const keyed = { userId, operation: 'quote', key: idempotencyKeyOf(request), content: request.body };
    const quote = await answerOnce<Schema, Quote>(deps.db, keyed, async (keep) => {
      const held = toQuote(await createQuote(deps, { userId, direction, sourceAmount: parseMoney(sourceAmount) }));
      // Not in one transaction: without its answer, a quote is unused, and is deleted within two hours.
      await keep(deps.db, held);
      return held;
    });
    return reply.code(201).send(quote);
  });
}
