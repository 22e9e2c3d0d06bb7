import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import { apiKeyRoutes } from '#api-keys/api-keys.routes.ts';
import { savedRecipientRoutes } from '#recipients/saved-recipients.routes.ts';
import type { CheckSessionsDeps } from '#sessions/check-sessions.ts';
import { sessionRoutes } from '#sessions/sessions.routes.ts';
import { administratorRoutes } from '#users/administrators.routes.ts';
import { merchantRoutes } from '#users/merchants.routes.ts';
import { accountRoutes, contactRoutes, directoryRoutes, type UserRoutesDeps } from '#users/users.routes.ts';

export type AppDeps = UserRoutesDeps &
  Pick<CheckSessionsDeps, 'pool' | 'stepUpMs'> &
  Pick<HttpAppOptions, 'logger' | 'checks' | 'metrics'> & { tokens: InternalTokens };

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'identity', ...deps });
  accountRoutes(app, deps);
  directoryRoutes(app, deps);
  contactRoutes(app, deps);
  merchantRoutes(app, deps);
  administratorRoutes(app, deps);
  sessionRoutes(app, deps);
  savedRecipientRoutes(app, deps);
  apiKeyRoutes(app, deps);
  return app;
}
