import { readConfig } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** The only place that reads the environment. */
export const config = () =>
  readConfig({
    LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
    HOST: z._default(z.string(), '127.0.0.1'),
    PORT: z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)),
    DATABASE_URL: z.url(),
    /** From the acceptance of a payout to its final state, ms. */
    SIMULATOR_DELAY_MS: z._default(z.coerce.number().check(z.gte(0)), 1_500),
    /** The address for callbacks; without it none are sent. */
    SIMULATOR_CALLBACK_URL: z.optional(z.url()),
    /** The address to which every payment is reported at least once; without it no payment is reported. */
    SIMULATOR_PAYMENTS_URL: z.optional(z.url()),
    /** The bearer token that callers must present. */
    SIMULATOR_TOKEN: z.string().check(z.minLength(1)),
  });
