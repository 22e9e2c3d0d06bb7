import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { accountRoutes } from '#accounts/accounts.routes.ts';
import { deviceRoutes } from '#accounts/devices.routes.ts';
import { administratorRoutes } from '#administrators/administrators.routes.ts';
import { apiKeyRoutes } from '#api-keys/api-keys.routes.ts';
import { closingRoutes } from '#closing/closing.routes.ts';
import { codeRoutes } from '#codes/codes.routes.ts';
import type { IdentityDeps } from '#deps.ts';
import { exportRoutes } from '#export/export.routes.ts';
import { merchantRoutes } from '#merchants/merchants.routes.ts';
import { pinResetRoutes } from '#pin-reset/pin-reset.routes.ts';
import { savedRecipientRoutes } from '#recipients/saved-recipients.routes.ts';
import { secondFactorRoutes } from '#second-factors/second-factors.routes.ts';
import type { CheckSessionsDeps } from '#sessions/check-sessions.ts';
import { sessionRoutes } from '#sessions/sessions.routes.ts';
import { contactRoutes, directoryRoutes } from '#users/directory.routes.ts';
import { verificationRoutes } from '#verification/verification.routes.ts';

export type AppDeps = IdentityDeps &
  Pick<CheckSessionsDeps, 'pool' | 'stepUpMs'> &
  Pick<HttpAppOptions, 'logger' | 'checks' | 'metrics'> &
  Required<Pick<HttpAppOptions, 'tokens'>>;

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'identity', ...deps });
  accountRoutes(app, deps);
  deviceRoutes(app, deps);
  closingRoutes(app, deps);
  exportRoutes(app, deps);
  directoryRoutes(app, deps);
  contactRoutes(app, deps);
  merchantRoutes(app, deps);
  administratorRoutes(app, deps);
  secondFactorRoutes(app, deps);
  sessionRoutes(app, deps);
  savedRecipientRoutes(app, deps);
  apiKeyRoutes(app, deps);
  verificationRoutes(app, deps);
  pinResetRoutes(app, deps);
  codeRoutes(app, deps);
  return app;
}
