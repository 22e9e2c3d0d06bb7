import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** `/api/openapi.json` and `/api/docs`, made from the contracts that also check every request. Before the routes. */
export async function addOpenApi(app: HttpApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vuka',
        version: '1',
        description:
          'Send money between Kenya and Tanzania. Money is a decimal string with two places; errors have one shape. ' +
          'Every answer to a signed-in request says in x-vuka-session-ends-in in how many seconds the session ends if ' +
          'nobody uses it; a request with x-vuka-background does not count as use.',
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'vuka_session' },
          apiKey: { type: 'http', scheme: 'bearer', description: 'A key that an administrator issued' },
        },
      },
      security: [{ session: [] }],
    },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true });
}

/** After the routes. */
export function serveOpenApi(app: HttpApp): void {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
