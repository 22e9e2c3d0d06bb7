import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { COUNTRIES } from '@vuka/money/corridors';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifySchema } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { completeDocument } from './complete-document.ts';
import { nameSchemas } from './named-schemas.ts';

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

const DESCRIPTION =
  `Send money between ${COUNTRY_NAMES.join(' and ')}. ` +
  'Money is a decimal string with two places; errors have one shape. ' +
  'Every answer to a signed-in request carries x-vuka-session-ends-in: the seconds until the session ends if it ' +
  'stays idle. A request with x-vuka-background does not count as activity. ' +
  'Fields, calls and values of answers may be added; a client ignores those that it does not know.';

const TAGS = {
  about: 'The installation',
  account: "The user's own account, sessions and PIN",
  prices: 'Rates and quotes',
  transfers: 'Sending money',
  recipients: 'Saved recipients',
  withdrawals: 'Linked accounts and withdrawals',
  statements: 'Statements from the ledger',
  live: 'Changes as they happen, for pages',
  feed: 'Transfer events, for other programs',
  public: 'Without a session',
  admin: 'For administrators; each role has some of these rights',
};

/**
 * `/api/openapi.json` and `/api/docs`, made from the contracts that also check every request. Call it before adding
 * routes.
 */
export async function addOpenApi(app: HttpApp): Promise<void> {
  const schemaRegistry = nameSchemas();
  const transform = createJsonSchemaTransform({ schemaRegistry });
  const transformObject = createJsonSchemaTransformObject({ schemaRegistry });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vuka',
        version: '1',
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [
        { url: '/', description: 'The installation that serves this document' },
        { url: 'http://127.0.0.1:3000', description: '`npm start`' },
      ],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'vuka_session',
            description: 'From the sign-in. Over HTTPS its name is `__Host-vuka_session`.',
          },
          apiKey: { type: 'http', scheme: 'bearer', description: 'A key that an administrator issued' },
        },
      },
      security: [{ session: [] }],
    },
    transform: (route) => withMediaTypes(transform({ ...route, schema: withBareParameters(route.schema) })),
    transformObject: (document) => completeDocument(transformObject(document)) as ReturnType<typeof transformObject>,
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: DOCS_CSP });
}

/** Parameters are listed one by one: a schema with a name would hide them behind a reference. */
function withBareParameters<Schema extends FastifySchema | undefined>(schema: Schema): Schema {
  if (!schema) return schema;
  const bare = (part: unknown) => (part instanceof z.core.$ZodType ? z.core.clone(part, part._zod.def) : part);
  const { params, querystring, headers, ...rest } = schema;
  return {
    ...rest,
    ...(params ? { params: bare(params) } : {}),
    ...(querystring ? { querystring: bare(querystring) } : {}),
    ...(headers ? { headers: bare(headers) } : {}),
  } as Schema;
}

/** A route that writes its answer piece by piece declares the media type in `produces`, and has no schema. */
const writtenResponse = (types: readonly string[]) => ({
  200: { description: 'In the declared media type', type: types.includes('application/json') ? 'object' : 'string' },
});

function withMediaTypes<Transformed extends { schema: FastifySchema; url: string }>(route: Transformed): Transformed {
  if (!route.url.startsWith('/api/')) return { ...route, schema: { ...route.schema, hide: true } };
  const { produces = [] } = route.schema as { produces?: string[] };
  const response = (route.schema.response as object | undefined) ?? writtenResponse(produces);
  return { ...route, schema: { ...route.schema, response } };
}

/** Call it after adding routes. */
export function serveOpenApi(app: HttpApp): void {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
