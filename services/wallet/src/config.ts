import { readConfig, serviceSettings, timerSeconds } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** Only this file reads the environment. */
export const config = () =>
  readConfig({
    ...serviceSettings,
    /** How often the ledger is audited, s. */
    VUKA_AUDIT_SECONDS: timerSeconds(60),
    /** How often all history is read again, in small steps, minutes. */
    VUKA_FULL_AUDIT_MINUTES: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1_440),
    /** How often expired holds are released, s. */
    VUKA_HOLD_EXPIRY_SECONDS: timerSeconds(1),
  });

/** For the process that migrates before the service starts. */
export const migrationConfig = () =>
  readConfig({
    LOG_LEVEL: serviceSettings.LOG_LEVEL,
    /** The address as the owner of the tables. */
    MIGRATION_DATABASE_URL: z.url(),
    /** The service's own address: its role gets the rights that it needs. */
    DATABASE_URL: serviceSettings.DATABASE_URL,
  });
