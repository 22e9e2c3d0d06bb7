import { readConfig, serviceSettings, timerSeconds } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** The only place that reads the environment. */
export const config = () =>
  readConfig({
    ...serviceSettings,
    /** The owner of the tables, who migrates. Without it the service migrates as the role that it runs under. */
    MIGRATION_DATABASE_URL: z.optional(z.url()),
    /** How often the ledger is audited, s. */
    VUKA_AUDIT_SECONDS: timerSeconds(60),
    /** How often an audit starts again from the first journal, minutes. */
    VUKA_FULL_AUDIT_MINUTES: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 60),
    /** How often holds that have run out are looked for, s. */
    VUKA_HOLD_EXPIRY_SECONDS: timerSeconds(1),
  });
