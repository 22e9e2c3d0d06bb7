import { createConcurrencyLimit } from '@vuka/service-kit/concurrency-limit';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { ORDER_ROUTES } from './order-door.ts';

/** Sign-ins are bounded by the PIN queue; a callback finishes accepted work, and must not wait. */
const UNLIMITED = new Set(['/api/login', '/api/logout', '/api/callbacks/:provider']);
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writing calls beyond a concurrency limit before their session is checked. Orders have their own gate. Reads
 * are not limited here, and do not wait behind writes.
 */
export function limitWrites(app: HttpApp): void {
  const limit = createConcurrencyLimit({ min: 16, max: 250, start: 100, slowMs: 1_000 });
  app.addHook('preValidation', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    if (READS.has(request.method) || UNLIMITED.has(route) || ORDER_ROUTES.has(route)) return;
    reply.raw.once('close', limit.begin());
  });
}
