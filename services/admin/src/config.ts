import { isLoopback, readConfig, serviceSettings } from '@vuka/service-kit/config';
import { keyringSetting } from '@vuka/service-kit/keyring';
import * as z from 'zod/mini';

/** The only place that reads the environment. */
export function config() {
  const settings = readSettings();
  const { NODE_ENV, VUKA_SHOW_CODES, VUKA_PUBLIC_URL } = settings;
  const isDemonstration = NODE_ENV !== 'production' || (VUKA_SHOW_CODES && isLoopback(VUKA_PUBLIC_URL));
  return {
    ...settings,
    VUKA_PUBLIC_URL: VUKA_PUBLIC_URL ?? 'http://127.0.0.1:3000',
    /**
     * A code replaces a person's PIN, so no administrator may read it. In a demonstration, this is the only way to receive
     * it. A demonstration in production says so: a public address may only have been forgotten.
     */
    hidesCodes: !isDemonstration,
  };
}

const readSettings = () =>
  readConfig({
    ...serviceSettings,
    IDENTITY_URL: z.url(),
    TRANSFERS_URL: z.url(),
    WALLET_URL: z.url(),
    /** The simulator, in demonstrations only: it enables the failure lab. */
    PAYOUT_SIMULATOR_URL: z.optional(z.url({ protocol: /^https?$/ })),
    /**
     * RabbitMQ's management API with a user, for rates and unacknowledged counts; without it they are shown as
     * unknown.
     */
    AMQP_MANAGEMENT_URL: z.optional(z.url({ protocol: /^https?$/ })),
    /** The address of the web app, for links in messages. */
    VUKA_PUBLIC_URL: z.optional(z.url({ protocol: /^https?$/ })),
    /** Show codes of messages that nothing sends: for demonstrations, in production only with an address of this machine. */
    VUKA_SHOW_CODES: z._default(z.stringbool(), false),
    /** Without it, emails are stored, not sent, and can be read in the admin area. */
    SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/ })),
    /** How long messages are kept, with their recipients. */
    VUKA_NOTIFICATION_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(36_500)), 90),
    VUKA_EMAIL_FROM: z._default(z.string(), 'Vuka <no-reply@vuka.test>'),
    /** Signs the end of the audit trail once a day; without it, nothing is signed. Several keys: the first signs. */
    VUKA_AUDIT_KEY: z.optional(keyringSetting()),
    /** Encrypts the messages to people in the database. */
    VUKA_DATA_KEY: keyringSetting(),
    /** Without both, SMS are stored, not sent. */
    AFRICASTALKING_USERNAME: z.optional(z.string()),
    AFRICASTALKING_API_KEY: z.optional(z.string()),
    AFRICASTALKING_SENDER_ID: z.optional(z.string()),
    AFRICASTALKING_URL: z._default(z.url(), 'https://api.africastalking.com'),
  });

/** For the check of the audit trail on the command line. */
export const verifyConfig = () =>
  readConfig({
    LOG_LEVEL: serviceSettings.LOG_LEVEL,
    DATABASE_URL: serviceSettings.DATABASE_URL,
    VUKA_AUDIT_KEY: z.optional(keyringSetting()),
  });
