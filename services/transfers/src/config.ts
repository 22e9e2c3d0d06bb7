import { ConfigError, readConfig, serviceSettings } from '@vuka/service-kit/config';
import { keyringSetting } from '@vuka/service-kit/keyring';
import * as z from 'zod/mini';

// Only this file reads the environment.

const seconds = (fallback: number) => z._default(z.coerce.number().check(z.gt(0)), fallback);

const shared = {
  ...serviceSettings,
  WALLET_URL: z.url(),
  RATES_URL: z.url(),
  IDENTITY_URL: z.url(),
  /** A transfer that is not final after this time is listed as stuck. */
  VUKA_STUCK_AFTER_SECONDS: seconds(900),
  /** How long after its last request an unknown payout is resent or, if it was refused, failed. */
  VUKA_PAYOUT_GRACE_SECONDS: seconds(900),
  /** The wait before the first status inquiry. Each further wait is twice as long, up to thirty times the first, at most five minutes. */
  VUKA_PAYOUT_CHECK_SECONDS: seconds(10),
  /** How far the provider's statement may lag behind its payments. */
  VUKA_STATEMENT_LAG_SECONDS: z._default(z.coerce.number().check(z.gte(0)), 3_600),
  /**
   * How far the bank's statement may lag behind payments by hand: for that long, no other administrator takes over the
   * withdrawal. Four days, since a payment of before a long weekend may be carried out after it.
   */
  VUKA_BANK_LAG_SECONDS: z._default(z.coerce.number().check(z.gte(0)), 345_600),
  /**
   * How long an accepted transfer may wait for one of our own steps. Orders that would wait longer are refused with a
   * 503.
   */
  VUKA_BACKLOG_SECONDS: seconds(1),
  /**
   * This many transfers may always wait, so orders are accepted up to this number while the broker or the worker is
   * unavailable. About a second's work of two cores.
   */
  VUKA_BACKLOG_ALWAYS: z._default(z.coerce.number().check(z.int(), z.gte(1)), 500),
  PAYOUT_PROVIDER: z._default(z.enum(['pawapay']), 'pawapay'),
  /** The simulator's address in local runs. */
  PAWAPAY_URL: z.url(),
  PAWAPAY_TOKEN: z.string().check(z.minLength(1)),
  PAWAPAY_PRODUCT: z._default(
    z.enum(['payout'], { error: 'must be payout: a remittance needs sender details that Vuka does not collect yet' }),
    'payout',
  ),
  /** The host that pawaPay calls, as covered by its signature; behind a proxy, the public host. */
  PAWAPAY_CALLBACK_AUTHORITY: z.optional(
    z.string().check(z.regex(/^[\w.:[\]-]{1,255}$/, { error: 'must be a host, with its port if it has one' })),
  ),
  /** Refuse callbacks without a signature. If false, they are only a hint to ask the provider, whose answer counts. */
  PAWAPAY_SIGNED_CALLBACKS: z._default(z.stringbool(), true),
};

/** The settings of the worker. */
export const workerConfig = () => readConfig(shared);

/** The settings of the API, which also signs receipts and verifies callbacks. */
export function config() {
  const settings = readConfig({
    ...shared,
    /** Signs the codes by which receipts are verified. */
    VUKA_RECEIPT_KEY: keyringSetting(),
    /** Public keys (base64url, comma-separated) of receipts whose secrets were removed. */
    VUKA_RECEIPT_OLD_KEYS: z._default(z.string(), ''),
    /** Execute transfers in this process as well; for a small machine, instead of a separate worker. */
    VUKA_WITH_WORKER: z._default(z.stringbool(), false),
  });
  if (settings.PAWAPAY_SIGNED_CALLBACKS && settings.PAWAPAY_CALLBACK_AUTHORITY === undefined) {
    throw new ConfigError(
      'PAWAPAY_CALLBACK_AUTHORITY must be set: the signature of a callback covers the host that pawaPay called, such as ' +
        'pay.example.com. See .env.example.',
    );
  }
  return settings;
}

/** The settings that both processes share. */
export type Config = ReturnType<typeof workerConfig>;
