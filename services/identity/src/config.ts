import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** The only place that reads the environment. */
export const config = () =>
  readConfig({
    ...serviceSettings,
    /** Makes the stored PIN verifiers useless without it. */
    VUKA_PIN_PEPPER: z.string().check(z.minLength(32)),
    /** Keys the seals by which a PIN is checked during a session. */
    VUKA_SESSION_SECRET: z.string().check(z.minLength(32)),
    /** How long after a right PIN an administrator may move money, set prices and change permissions without another. */
    VUKA_STEP_UP_SECONDS: z._default(z.coerce.number().check(z.gt(0), z.lte(3_600)), 300),
  });

const commandSettings = {
  LOG_LEVEL: z._default(z.string(), 'warn'),
  DATABASE_URL: serviceSettings.DATABASE_URL,
};

/** What the command that unlocks an administrator reads. */
export const unlockConfig = () => readConfig(commandSettings);

/** What the command that makes an administrator reads. */
export const adminConfig = () =>
  readConfig({
    ...commandSettings,
    VUKA_PIN_PEPPER: z.string().check(z.minLength(32)),
    /** A PIN to give; without it one is made and shown. */
    VUKA_ADMIN_PIN: z.optional(z.string()),
  });
