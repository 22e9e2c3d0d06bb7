import { createConcurrencyLimit } from '@vuka/service-kit/concurrency-limit';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { ORDER_ROUTES } from './order-door.ts';

/** Signing in has the queue of PINs as its bound; a callback ends work that was accepted, and may not wait. */
const UNLIMITED = new Set(['/api/login', '/api/logout', '/api/callbacks/:provider']);
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writing calls, but for orders, which have their own door, when too many are under way, before a session is
 * looked at. Reads are not limited here, and do not wait behind writes.
 */
export function limitWrites(app: HttpApp): void {
  const limit = createConcurrencyLimit({ min: 16, max: 250, start: 100, slowMs: 1_000 });
  app.addHook('preValidation', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    if (READS.has(request.method) || UNLIMITED.has(route) || ORDER_ROUTES.has(route)) return;
    reply.raw.once('close', limit.begin());
  });
}
