import { callerOf } from '@vuka/access/caller';
import { Quote, QuoteRequest } from '@vuka/contracts/http/quotes';
import { parseMoney } from '@vuka/money';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { type CreateQuoteDeps, createQuote } from './create-quote.ts';
import { toQuote } from './quote.store.ts';

export function quoteRoutes(app: HttpApp, deps: CreateQuoteDeps): void {
  app.post('/internal/quotes', { schema: { body: QuoteRequest, response: { 201: Quote } } }, async (request, reply) => {
    const { userId } = callerOf(request);
    const { direction, sourceAmount } = request.body;
    const quote = await createQuote(deps, { userId, direction, sourceAmount: parseMoney(sourceAmount) });
    return reply.code(201).send(toQuote(quote));
  });
}
