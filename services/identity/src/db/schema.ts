import type { ProposalsSchema } from '@vuka/access/proposals';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import type { WalletCurrency } from '@vuka/money/corridors';
import type { FirstAnswersSchema } from '@vuka/service-kit/first-answers';
import type { OutboxSchema } from '@vuka/service-kit/outbox';
import type { Generated, Kysely, Transaction as KyselyTransaction, Selectable } from 'kysely';

/** What a one-time code proves. */
export type Purpose = 'verify_phone' | 'verify_email' | 'reset_pin' | 'close_account';

export type ChallengePurpose = 'give' | 'add-passkey' | 'add-totp';

interface UsersTable {
  id: string;
  username: string;
  /** The verifier, never the PIN: see pins/pin-hasher.ts. */
  pin: string;
  pin_version: Generated<number>;
  pin_failed_attempts: Generated<number>;
  pin_lock_level: Generated<number>;
  pin_locked_until: Date | null;
  email: string;
  full_name: string;
  /** Empty for an administrator without a number. */
  phone: string;
  /** With a plus and a calling code; null for a number without a known one. */
  phone_e164: string | null;
  default_currency: WalletCurrency;
  country: string;
  is_blocked: Generated<boolean>;
  is_admin: Generated<boolean>;
  is_active: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** When a code sent there was entered; null for unverified contacts. */
  phone_verified_at: Generated<Date | null>;
  email_verified_at: Generated<Date | null>;
  /** When a forgotten PIN was last replaced. */
  pin_reset_at: Generated<Date | null>;
  /** An administrator has given the account the limits of a business. */
  is_business: Generated<boolean>;
  /** When the account was closed and the person erased. */
  closed_at: Generated<Date | null>;
}

interface MerchantsTable {
  id: string;
  user_id: string;
  merchant_id: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface AdminsTable {
  id: Generated<bigint>;
  user_id: string;
  admin_id: string;
  role: Generated<AdminRole>;
}

interface SessionsTable {
  /** Names the session in its owner's list. */
  id: Generated<string>;
  /** SHA-256 of the session id, which only the cookie holds. */
  id_hash: Buffer;
  user_id: string;
  seal: Buffer;
  /** Identifies the seal's key; null in rows of earlier releases. */
  seal_key_id: Buffer | null;
  pin_version: number;
  /** When the PIN was last right in this session. Maintained for administrators only; null in old rows. */
  pin_checked_at: Date | null;
  /** Kept for a while, so that a blocked user who sends learns the reason. */
  ended_by_block: Generated<boolean>;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  /** Of the sign-in, in clear text; empty in sealed rows. */
  address: Generated<string>;
  user_agent: Generated<string>;
  /** All wrong PINs of this session; right ones do not reset it. */
  wrong_pins: Generated<number>;
  /** When a second factor was last given in this session. */
  factor_verified_at: Generated<Date | null>;
  /** See sessions/sealed-origins.ts; null in rows of earlier releases. */
  sealed: Generated<Buffer | null>;
  /** SHA-256 of the device's cookie; null in rows of earlier releases. */
  device_hash: Generated<Buffer | null>;
}

interface SecondFactorsTable {
  id: string;
  user_id: string;
  kind: 'passkey' | 'totp';
  name: string;
  created_at: Date;
  last_used_at: Generated<Date | null>;
  credential_id: Generated<string | null>;
  public_key: Generated<Buffer | null>;
  signature_count: Generated<bigint | null>;
  transports: Generated<string[] | null>;
  /** See second-factors/renew-secrets.ts. */
  sealed_secret: Generated<Buffer | null>;
  /** The time step of the last code that was accepted. */
  last_step: Generated<bigint | null>;
}

/** One challenge per session and purpose; it is deleted when it is answered. */
interface FactorChallengesTable {
  session_hash: Buffer;
  purpose: ChallengePurpose;
  content: Buffer;
  expires_at: Date;
}

/** Wrong codes of authenticator apps. A right PIN does not reset them. */
interface FactorAttemptsTable {
  user_id: string;
  failed_attempts: number;
  lock_level: number;
  locked_until: Date | null;
}

interface OneTimeCodesTable {
  id: string;
  user_id: string;
  purpose: Purpose;
  /** `OWN_DEVICE`, or the network of a stranger; empty unless it is a reset. */
  asked_from: Generated<string>;
  sent_to: string;
  created_at: Date;
  expires_at: Date;
  wrong_attempts: Generated<number>;
  used_at: Date | null;
}

/** Browsers in which a user has signed in. */
interface DevicesTable {
  user_id: string;
  /** SHA-256 of the device's cookie. */
  token_hash: Buffer;
  created_at: Date;
  last_seen_at: Date;
}

interface SavedRecipientsTable {
  user_id: string;
  phone: string;
  /** The phone in sealed rows. */
  label: string;
  created_at: Generated<Date>;
  /** See recipients/sealed-labels.ts; null in rows of earlier releases. */
  sealed: Generated<Buffer | null>;
}

interface ApiKeysTable {
  id: string;
  name: string;
  ending: string;
  /** SHA-256 of the key; only its holder has the key. */
  key_hash: Buffer;
  created_by: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/**
 * Failed sign-ins, by email and place. Emails without an account are counted alike, so that both get the same answers.
 */
interface StrangerSignInsTable {
  email_hash: Buffer;
  /** A network address, empty for all together; `device` and a hash for a known device; or the name of another count. */
  address: string;
  failed_attempts: number;
  lock_level: number;
  locked_until: Date | null;
  updated_at: Date;
}

/** The first of the two requests that unlock an administrator. */
interface UnlockRequestsTable {
  /** The locked administrator. */
  user_id: string;
  requested_by: string;
  requested_at: Date;
}

interface SettingsTable {
  id: Generated<number>;
  max_pin_attempts: Generated<number>;
  auto_logout_minutes: Generated<number>;
  /** When an administrator saved the settings. */
  changed_at: Generated<Date>;
}

export interface Schema extends OutboxSchema, ProposalsSchema, FirstAnswersSchema {
  users: UsersTable;
  merchants: MerchantsTable;
  admins: AdminsTable;
  sessions: SessionsTable;
  saved_recipients: SavedRecipientsTable;
  api_keys: ApiKeysTable;
  devices: DevicesTable;
  one_time_codes: OneTimeCodesTable;
  stranger_sign_ins: StrangerSignInsTable;
  unlock_requests: UnlockRequestsTable;
  settings: SettingsTable;
  second_factors: SecondFactorsTable;
  factor_challenges: FactorChallengesTable;
  factor_attempts: FactorAttemptsTable;
}

export type Db = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;
export type UserRow = Selectable<UsersTable>;
export type SessionRow = Selectable<SessionsTable>;
export type SavedRecipientRow = Selectable<SavedRecipientsTable>;
export type OneTimeCodeRow = Selectable<OneTimeCodesTable>;
export type SecondFactorRow = Selectable<SecondFactorsTable>;
