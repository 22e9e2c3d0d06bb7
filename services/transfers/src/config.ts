import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

const seconds = (fallback: number) => z._default(z.coerce.number().check(z.gt(0)), fallback);

const shared = {
  ...serviceSettings,
  WALLET_URL: z.url(),
  RATES_URL: z.url(),
  IDENTITY_URL: z.url(),
  /** A transfer that is not final after this long waits in the stuck list. */
  VUKA_STUCK_AFTER_SECONDS: seconds(900),
  /** How long after its last request a payout that the provider does not know is sent again, or fails if it was refused. */
  VUKA_PAYOUT_GRACE_SECONDS: seconds(900),
  /** The wait before the first status inquiry; it doubles from one to the next, five minutes at most. */
  VUKA_PAYOUT_CHECK_SECONDS: seconds(10),
  /** How far the provider's statement may be behind what it has paid. */
  VUKA_STATEMENT_LAG_SECONDS: z._default(z.coerce.number().check(z.gte(0)), 3_600),
  /**
   * How long an accepted transfer may wait for a step of ours; orders that would wait longer are refused with a 503.
   */
  VUKA_BACKLOG_SECONDS: seconds(1),
  /**
   * As many transfers may wait in any case: while the broker or the worker is away, orders are accepted up to here.
   * About a second's work of two cores.
   */
  VUKA_BACKLOG_ALWAYS: z._default(z.coerce.number().check(z.int(), z.gte(1)), 250),
  PAYOUT_PROVIDER: z._default(z.enum(['pawapay']), 'pawapay'),
  /** The simulator's address in local runs. */
  PAWAPAY_URL: z.url(),
  PAWAPAY_TOKEN: z.string().check(z.minLength(1)),
  PAWAPAY_PRODUCT: z._default(
    z.enum(['payout'], { error: 'must be payout: a remittance tells of the sender what Vuka does not ask for yet' }),
    'payout',
  ),
  /** The host by which pawaPay reaches us, as it signs it; behind a proxy the public one. */
  PAWAPAY_CALLBACK_AUTHORITY: z.optional(z.string()),
  /** Refuse callbacks without a signature. */
  PAWAPAY_SIGNED_CALLBACKS: z._default(z.stringbool(), true),
};

/** What the worker reads. Only this file reads the environment. */
export const workerConfig = () => readConfig(shared);

/** What the API reads. */
export const config = () =>
  readConfig({
    ...shared,
    /** Signs the codes by which receipts are verified. At least 32 characters. */
    VUKA_RECEIPT_KEY: z.string().check(z.minLength(32)),
    /** Public keys, base64url, of receipts that were signed before the secret was replaced; comma-separated. */
    VUKA_RECEIPT_OLD_KEYS: z._default(z.string(), ''),
  });

/** What both have. */
export type Config = ReturnType<typeof workerConfig>;
