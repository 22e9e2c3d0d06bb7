import { readConfig, serviceSettings, timerSeconds } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** Only this file reads the environment. */
export const config = () =>
  readConfig({
    ...serviceSettings,
    /** The owner of the tables, which runs the migrations. Without it, the service migrates with its own role. */
    MIGRATION_DATABASE_URL: z.optional(z.url()),
    /** How often the ledger is audited, s. */
    VUKA_AUDIT_SECONDS: timerSeconds(60),
    /** How often an audit reads all history again, minutes. */
    VUKA_FULL_AUDIT_MINUTES: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 60),
    /** How often expired holds are released, s. */
    VUKA_HOLD_EXPIRY_SECONDS: timerSeconds(1),
  });
