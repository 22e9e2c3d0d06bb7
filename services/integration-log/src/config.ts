import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** The only place that reads the environment. */
export const config = () =>
  readConfig({
    ...serviceSettings,
    /** Months after which logs are dropped. Ten years: the law asks for seven in Kenya. */
    VUKA_LOG_RETENTION_MONTHS: z._default(z.coerce.number().check(z.int(), z.gte(1)), 120),
  });
