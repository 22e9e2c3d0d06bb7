import { fileURLToPath } from 'node:url';
import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

const TRUSTED_PROXIES = /^(true|false|([\da-f]*[.:][\da-f.:]+(\/\d{1,3})?(, *|$))+)$/i;
/** In proxy-addr's terms. */
const PRIVATE_NETWORKS = 'loopback, linklocal, uniquelocal';

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
    /** The address and port of `/metrics`, for Prometheus; not public. By default the address is `HOST`. */
    METRICS_HOST: z.optional(z.string()),
    METRICS_PORT: z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)),
    /** The address of the web app for its users. */
    VUKA_PUBLIC_URL: z.optional(z.url({ protocol: /^https?$/ })),
    /** Multiplies every rate limit. */
    VUKA_RATE_LIMIT_FACTOR: z._default(z.coerce.number().check(z.gt(0)), 1),
    /**
     * The proxies whose X-Forwarded-* headers are trusted: addresses or networks separated by commas, or `true` for
     * private networks. Only the parts that they add are trusted, not what a client wrote into X-Forwarded-For.
     */
    VUKA_TRUST_PROXY: z._default(
      z.pipe(
        z.string().check(z.regex(TRUSTED_PROXIES, { error: 'must be true, false, or addresses separated by commas' })),
        z.transform((setting) => (setting === 'true' ? PRIVATE_NETWORKS : setting === 'false' ? false : setting)),
      ),
      false,
    ),
  });
