import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import { keyringSetting } from '@vuka/service-kit/keyring';
import * as z from 'zod/mini';

/** Only this file reads the environment. */
export const config = () =>
  readConfig({
    ...serviceSettings,
    /** Encrypts the bodies of calls in the database. */
    VUKA_DATA_KEY: keyringSetting(),
    /** Months after which logs are deleted. Ten years by default: the law in Kenya requires seven. */
    VUKA_LOG_RETENTION_MONTHS: z._default(z.coerce.number().check(z.int(), z.gte(1)), 120),
  });
