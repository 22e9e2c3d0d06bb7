import { fileURLToPath } from 'node:url';
import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** The only place that reads the environment. */
export const config = () =>
  readConfig({
    ...serviceSettings,
    IDENTITY_URL: z.url(),
    WALLET_URL: z.url(),
    TRANSFERS_URL: z.url(),
    TRANSFERS_WORKER_URL: z.url(),
    RATES_URL: z.url(),
    ADMIN_URL: z.url(),
    INTEGRATION_LOG_URL: z.url(),
    /** The built web app. */
    VUKA_WEB_ROOT: z._default(z.string(), fileURLToPath(new URL('../../../apps/web/dist', import.meta.url))),
    /** Prometheus reads here; this port is not for the public. */
    METRICS_PORT: z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)),
    /** Multiplies every rate limit. */
    VUKA_RATE_LIMIT_FACTOR: z._default(z.coerce.number().check(z.gt(0)), 1),
    /** Believe X-Forwarded-*: only behind a proxy that sets them. */
    VUKA_TRUST_PROXY: z._default(z.stringbool(), false),
  });
