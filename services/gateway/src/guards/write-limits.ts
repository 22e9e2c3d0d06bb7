import { createConcurrencyLimit } from '@vuka/service-kit/concurrency-limit';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import { ORDER_ROUTES } from './order-gate.ts';

/**
 * Routes without this limit. Those open to strangers are bounded by their own connections to identity and by the PIN
 * queue, and some are slow on purpose: they must neither take the places of signed-in users nor lower the limit. A
 * callback finishes accepted work, and must not wait.
 */
const UNLIMITED = new Set([
  '/api/login',
  '/api/register',
  '/api/pin-reset',
  '/api/pin-reset/confirm',
  '/api/logout',
  '/api/callbacks/:provider',
]);
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writing calls beyond a concurrency limit before their session is checked. Orders have their own gate. Reads
 * are not limited here, and do not wait behind writes.
 */
export function limitWrites(app: HttpApp): void {
  const limit = createConcurrencyLimit({ min: 16, max: 250, start: 100, slowMs: 1_000 });
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook('preValidation', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    if (READS.has(request.method) || UNLIMITED.has(route) || ORDER_ROUTES.has(route)) return;
    const end = limit.begin();
    ends.set(request, end);
    reply.raw.once('close', end);
  });
  // The work is done, even if the answer still has to wait for a live stream that was requested before it on the same
  // connection.
  app.addHook('onSend', async (request) => ends.get(request)?.());
}
