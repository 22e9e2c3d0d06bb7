import { Pricing } from '@vuka/contracts/internal/pricing';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from './api-deps.ts';

/**
 * Has transfers refresh its prices before a price change is answered, so that a user who sees the new prices can
 * order at them. The change takes effect even if this fails: an event reports it as well, and every replica polls.
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
      request.log.warn({ err: error, requestId: request.id }, 'price refresh failed; relying on the event'),
    );
  return result;
}
