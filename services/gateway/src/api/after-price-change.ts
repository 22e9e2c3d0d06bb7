import { Pricing } from '@vuka/contracts/internal/pricing';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from './api-deps.ts';

/**
 * Has transfers look at the prices before their change is answered, so that whoever reads the new ones can order at
 * them. The change stands whether or not it does: an event tells it in any case, and every replica looks now and then.
 */
export async function afterPriceChange<Result>(
  { services }: Pick<ApiDeps, 'services'>,
  request: FastifyRequest,
  change: Promise<Result>,
): Promise<Result> {
  const result = await change;
  await services.transfers
    .post('/internal/pricing/refresh', {}, Pricing, { requestId: request.id })
    .catch((error: unknown) =>
      request.log.warn({ err: error }, 'transfers hears of the new prices by the event alone'),
    );
  return result;
}
