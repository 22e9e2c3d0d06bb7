import { About } from '@vuka/contracts/http/about';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';

/** What the system calls itself, for the pages of everybody. */
export function aboutRoute(app: HttpApp, { services }: ApiDeps): void {
  let lastKnown: About | undefined;
  const schema = { tags: ['about'], security: [], summary: 'Name and support address', response: { 200: About } };
  app.get('/api/about', { schema }, async () => {
    try {
      lastKnown = await services.admin.get('/internal/about', About);
      return lastKnown;
    } catch (error) {
      // The name of the house does not go away with the service that keeps it.
      if (lastKnown) return lastKnown;
      throw error;
    }
  });
}
