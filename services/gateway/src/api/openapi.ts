import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ErrorBody } from '@vuka/contracts/http/common';
import { COUNTRIES } from '@vuka/money/corridors';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifySchema } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';

/** Like the app's own pages: without upgrading to HTTPS, which would leave the page blank in a local network. */
const DOCS_CSP = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'script-src': "'self'",
  'script-src-attr': "'none'",
  'style-src': "'self' 'unsafe-inline'",
};

const COUNTRY_NAMES = Object.values(COUNTRIES).map(({ name }) => name);

/**
 * `/api/openapi.json` and `/api/docs`, made from the contracts that also check every request. Call it before adding
 * routes.
 */
export async function addOpenApi(app: HttpApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vuka',
        version: '1',
        description:
          `Send money between ${COUNTRY_NAMES.join(' and ')}. ` +
          'Money is a decimal string with two places; errors have one shape. ' +
          'Every answer to a signed-in request carries x-vuka-session-ends-in: the seconds until the session ends if it ' +
          'stays idle. A request with x-vuka-background does not count as activity.',
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'vuka_session' },
          apiKey: { type: 'http', scheme: 'bearer', description: 'A key that an administrator issued' },
        },
      },
      security: [{ session: [] }],
    },
    transform: (route) => withEveryAnswer(jsonSchemaTransform(route)),
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: DOCS_CSP });
}

/** The common shape of errors, added to each call's own answers. */
const ERROR_RESPONSE = {
  description:
    'Any failure. 400 validation_failed, 401 unauthenticated, 403 forbidden, 403 step_up_required (give the PIN to ' +
    '/api/admin/step-up, then repeat the call), 404 not_found, 413 payload_too_large, ' +
    '429 rate_limited and 503 unavailable can come from every call; after 429 and 503 Retry-After says when to retry. ' +
    '`error` is English text for a person; `reason` is the key of that text, finer than `code`, and `params` has its ' +
    'values. A client that does not know a reason shows `error`.',
  ...(z.toJSONSchema(ErrorBody) as Record<string, unknown>),
};

/** A route whose answers are not JSON declares their type in `produces`, and has no schema for them. */
const TEXT_RESPONSE = { 200: { description: 'In the declared media type', type: 'string' } };

function withEveryAnswer<Transformed extends { schema: FastifySchema; url: string }>(route: Transformed): Transformed {
  if (!route.url.startsWith('/api/')) return route;
  const successes = (route.schema.response as object | undefined) ?? TEXT_RESPONSE;
  const response = { ...successes, default: ERROR_RESPONSE };
  return { ...route, schema: { ...route.schema, response } };
}

/** Call it after adding routes. */
export function serveOpenApi(app: HttpApp): void {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
