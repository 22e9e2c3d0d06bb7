import * as z from 'zod/mini';
import { AdminRole } from '../http/admin-role.ts';
import { RoleAnswer, UnlockRequested } from '../http/administrators.ts';
import { Id, Pin, WalletCurrency } from '../http/common.ts';
import { PinResetRequest } from '../http/contact-verification.ts';
import { Merchant } from '../http/merchants.ts';
import { AddPasskey, AddTotp, GivenFactor } from '../http/second-factors.ts';
import { User } from '../http/signed-in-user.ts';
import { Tier } from '../http/tiers.ts';
import { LoginForm, RegisterForm } from '../http/users.ts';

/** The session id of the cookie: 32 random bytes, base64url. */
export const SessionToken = z.string().check(z.regex(/^[\w-]{43}$/));

/**
 * `POST /internal/sessions/check-batch`: whose session is it, and is the PIN correct? With `keepAlive` false the idle
 * time is not reset, for requests that no person made. `endsInSeconds` is the time left to an idle session.
 */
export const SessionCheck = z.object({
  token: z.string(),
  pin: z.optional(z.string()),
  keepAlive: z._default(z.boolean(), true),
});
export type SessionCheck = z.infer<typeof SessionCheck>;

export const SessionCheckResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    user: User,
    endsInSeconds: z.int(),
    /** The PIN was correct, in this call or earlier in this session (within `VUKA_STEP_UP_SECONDS`). */
    pinRecent: z._default(z.boolean(), false),
    /** Which limits on transactions apply to the user. */
    tier: z._default(Tier, 'unverified'),
    /** The only administrator, blocked ones counted. */
    isOnlyAdmin: z._default(z.boolean(), false),
    /** The administrator's second factor was given in this session within `VUKA_STEP_UP_SECONDS`. */
    factorRecent: z._default(z.boolean(), false),
  }),
  z.object({
    ok: z.literal(false),
    code: z.enum(['unauthenticated', 'invalid_pin', 'account_blocked', 'too_many_attempts', 'unavailable']),
    attemptsLeft: z.optional(z.int()),
    retryAfterSeconds: z.optional(z.int()),
  }),
]);
export type SessionCheckResult = z.infer<typeof SessionCheckResult>;

export const SessionCheckBatch = z.object({ items: z.array(SessionCheck).check(z.minLength(1), z.maxLength(500)) });
export const SessionCheckResults = z.object({ results: z.array(SessionCheckResult) });

/** The browser that signs in. */
export const Browser = z.object({
  address: z.string(),
  userAgent: z.string().check(z.maxLength(300)),
  /** The device's cookie, if the browser has one. */
  device: z.optional(SessionToken),
});
export type Browser = z.infer<typeof Browser>;

/** `POST /internal/devices/check-batch`: has the account of this email been signed in to on this device? */
export const DeviceCheck = z.object({ username: z.string(), device: SessionToken });
export type DeviceCheck = z.infer<typeof DeviceCheck>;
export const DeviceCheckBatch = z.object({ items: z.array(DeviceCheck).check(z.minLength(1), z.maxLength(500)) });
export const DeviceCheckResults = z.object({ results: z.array(z.boolean()) });

const browser = z._default(Browser, { address: '', userAgent: '' });

/** `POST /internal/login` and `POST /internal/register`. */
export const SignIn = z.extend(LoginForm, { browser });
export type SignIn = z.infer<typeof SignIn>;
export const Registration = z.extend(RegisterForm, { browser });
export type Registration = z.infer<typeof Registration>;

/** The answer to a sign-in or a registration. */
export const OpenedSession = z.object({
  user: User,
  token: SessionToken,
  /** A device's cookie for a browser that has none; wrong PINs from known devices and from others count apart. */
  device: z.optional(SessionToken),
});
export type OpenedSession = z.infer<typeof OpenedSession>;

export const SignOut = z.object({ token: z.string() });

/** `POST /internal/sessions/list` and `/internal/sessions/end`: `token` is the requesting session. */
export const OwnSessions = z.object({ token: z.string() });
/** Ends one session, or all except the requesting one. */
export const SessionEnd = z.object({ token: z.string(), id: z.optional(Id) });
export const ProfileChange = z.object({ defaultCurrency: WalletCurrency });
export const PinChange = z.object({ token: z.string(), currentPin: Pin, newPin: Pin });

/** `POST /internal/recipients-batch`: the user of a phone number with its calling code, if there is exactly one. */
export const RecipientLookups = z.object({
  items: z.array(z.object({ phone: z.string() })).check(z.minLength(1), z.maxLength(500)),
});
export const Recipient = z.nullable(z.object({ userId: Id, name: z.string(), tier: z._default(Tier, 'verified') }));
export const RecipientResults = z.object({ results: z.array(Recipient) });

/** `GET /internal/account-holders/{merchantId or adminId}`. */
export const AccountHolder = z.object({ userId: Id, fullName: z.string(), phone: z.string(), isBlocked: z.boolean() });
export type AccountHolder = z.infer<typeof AccountHolder>;

/** The largest number of users in one call. */
export const MOST_CONTACTS = 500;

/** `POST /internal/contacts-batch`: the contact details of users; null for users that no longer exist. */
export const ContactLookups = z.object({
  items: z.array(z.object({ userId: Id })).check(z.minLength(1), z.maxLength(MOST_CONTACTS)),
});
export const Contact = z.object({
  /** Read by the previous release only: messages contain no text that a user entered. */
  fullName: z.optional(z.string()),
  email: z.string(),
  /** With a plus and a calling code; null if the number given at registration has another form. */
  phone: z.nullable(z.string()),
  /** Whether a code sent to this number was entered. */
  isPhoneVerified: z._default(z.boolean(), false),
  isAdmin: z._default(z.boolean(), false),
});
export type Contact = z.infer<typeof Contact>;
export const ContactResults = z.object({ results: z.array(z.nullable(Contact)) });

/** `POST /internal/codes-batch`: what to send for issued codes; null for codes that have expired. */
export const CodeLookups = z.object({
  items: z.array(z.object({ codeId: Id })).check(z.minLength(1), z.maxLength(500)),
});
export const IssuedCode = z.object({
  /** The number or address that receives the digits. */
  sentTo: z.string(),
  digits: z.string(),
  /** For a PIN reset: the second part, which goes to the email address. */
  link: z.nullable(z.object({ email: z.string(), token: z.string() })),
});
export type IssuedCode = z.infer<typeof IssuedCode>;
export const CodeResults = z.object({ results: z.array(z.nullable(IssuedCode)) });

/** `POST /internal/pin-reset`. */
export const PinReset = z.extend(PinResetRequest, { browser });
export type PinReset = z.infer<typeof PinReset>;

/** `GET /internal/merchants`: a page of the matches, and the total on all pages. */
export const MerchantPage = z.object({
  merchants: z.array(Merchant),
  total: z.int(),
  /** Null on the last page. */
  nextCursor: z.nullable(z.string()),
});
export type MerchantPage = z.infer<typeof MerchantPage>;

/** `POST /internal/merchants/{id}/unlock`: the unlocked account, or the request that waits for another caller. */
export const UnlockAnswer = z.union([UnlockRequested, Merchant]);

/** `POST /internal/api-keys/check`: whose key is it? Null if it is unknown or revoked. */
export const ApiKeyCheck = z.object({ key: z.string().check(z.maxLength(200)) });
export const KnownApiKey = z.object({ apiKey: z.nullable(z.object({ id: Id, name: z.string() })) });
export type KnownApiKey = z.infer<typeof KnownApiKey>;

/** `origin` is the page's, as the browser reports it; `token` is the requesting session. */
const asking = { token: SessionToken, origin: z.optional(z.string()) };
export const FactorSession = z.object(asking);
export type FactorSession = z.infer<typeof FactorSession>;
export const NewPasskey = z.extend(AddPasskey, asking);
export const NewTotp = z.extend(AddTotp, asking);
export const FactorProof = z.object({ ...asking, given: GivenFactor });
/** `token`: of the session that goes on. */
export const FactorRemoval = z.object({ id: Id, token: z.optional(SessionToken) });

/** `GET /internal/administrators/{id}/now`: null for a user who is blocked, or no administrator. */
export const AdministratorNow = z.object({ role: z.nullable(AdminRole) });

/** `POST /internal/administrators/{id}/role`; `isWaiting` for a second owner. */
export const RoleChanged = z.extend(RoleAnswer, { isWaiting: z.boolean() });
