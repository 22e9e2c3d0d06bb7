import { ConfigError, isLoopback, readConfig, serviceSettings } from '@vuka/service-kit/config';
import { keyringSetting } from '@vuka/service-kit/keyring';
import * as z from 'zod/mini';

/** Only this file reads the environment. */
export function config() {
  const settings = readSettings();
  const { NODE_ENV, VUKA_SHOW_CODES, VUKA_PUBLIC_URL } = settings;
  if (NODE_ENV === 'production' && VUKA_SHOW_CODES && !isLoopback(VUKA_PUBLIC_URL)) {
    throw new ConfigError(
      'VUKA_SHOW_CODES: anyone who reaches this address could replace the PIN of any account. In a demonstration set ' +
        'VUKA_PUBLIC_URL to an address of this machine, such as http://localhost:3000; otherwise unset VUKA_SHOW_CODES.',
    );
  }
  return { ...settings, VUKA_PUBLIC_URL: VUKA_PUBLIC_URL ?? 'http://127.0.0.1:3000' };
}

const readSettings = () =>
  readConfig({
    ...serviceSettings,
    /** Without it, the stored PIN verifiers are useless. */
    VUKA_PIN_PEPPER: keyringSetting(),
    /** Encrypts what the database holds of sessions and saved recipients. */
    VUKA_DATA_KEY: keyringSetting(),
    /**
     * Show one-time codes in the answers instead of only sending them: for demonstrations, in production only with an
     * address of this machine.
     */
    VUKA_SHOW_CODES: z._default(z.stringbool(), false),
    /** The key of the seals that check PINs during a session. */
    VUKA_SESSION_SECRET: keyringSetting(),
    /**
     * How long after a right PIN an administrator may move money, set prices and change permissions without entering it
     * again.
     */
    VUKA_STEP_UP_SECONDS: z._default(z.coerce.number().check(z.gt(0), z.lte(3_600)), 300),
    /** Administrators must have a second factor: a passkey or an authenticator app. */
    VUKA_REQUIRE_SECOND_FACTOR: z._default(z.stringbool(), true),
    /** The web app's address; passkeys are bound to its name. */
    VUKA_PUBLIC_URL: z.optional(z.url({ protocol: /^https?$/ })),
  });

const commandSettings = {
  LOG_LEVEL: z._default(z.string(), 'warn'),
  DATABASE_URL: serviceSettings.DATABASE_URL,
};

/** The settings of the unlock-admin command. */
export const unlockConfig = () => readConfig(commandSettings);

/** The settings of the create-admin command. */
export const adminConfig = () =>
  readConfig({
    ...commandSettings,
    VUKA_PIN_PEPPER: keyringSetting(),
    /** The PIN to set; without it, one is generated and shown. */
    VUKA_ADMIN_PIN: z.optional(z.string()),
  });
