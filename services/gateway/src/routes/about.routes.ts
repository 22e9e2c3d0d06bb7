import { About } from '@vuka/contracts/http/about';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';

/** The system's name, for public pages. */
export function aboutRoute(app: HttpApp, { services }: ApiDeps): void {
  let lastKnown: About | undefined;
  const schema = { tags: ['about'], security: [], summary: 'Name and support address', response: { 200: About } };
  app.get('/api/about', { schema }, async () => {
    try {
      lastKnown = await services.admin.get('/internal/about', About);
      return lastKnown;
    } catch (error) {
      // The system's name stays available without the service that stores it.
      if (lastKnown) return lastKnown;
      throw error;
    }
  });
}
