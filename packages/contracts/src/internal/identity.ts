import * as z from 'zod/mini';
import { UnlockRequested } from '../http/administrators.ts';
import { Id, Pin, WalletCurrency } from '../http/common.ts';
import { Merchant } from '../http/merchants.ts';
import { User } from '../http/users.ts';

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
    /** The only administrator, blocked ones counted. */
    isOnlyAdmin: z._default(z.boolean(), false),
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

/** The answer to a sign-in or a registration. */
export const OpenedSession = z.object({ user: User, token: SessionToken });
export type OpenedSession = z.infer<typeof OpenedSession>;

export const SignOut = z.object({ token: z.string() });
export const ProfileChange = z.object({ defaultCurrency: WalletCurrency });
export const PinChange = z.object({ token: z.string(), currentPin: Pin, newPin: Pin });

/** `POST /internal/recipients-batch`: the user of a phone number with its calling code, if there is exactly one. */
export const RecipientLookups = z.object({
  items: z.array(z.object({ phone: z.string() })).check(z.minLength(1), z.maxLength(500)),
});
export const Recipient = z.nullable(z.object({ userId: Id, name: z.string() }));
export const RecipientResults = z.object({ results: z.array(Recipient) });

/** `GET /internal/account-holders/{merchantId or adminId}`. */
export const AccountHolder = z.object({ userId: Id, fullName: z.string(), phone: z.string(), isBlocked: z.boolean() });
export type AccountHolder = z.infer<typeof AccountHolder>;

/** `POST /internal/contacts-batch`: the contact details of users; null for users that no longer exist. */
export const ContactLookups = z.object({
  items: z.array(z.object({ userId: Id })).check(z.minLength(1), z.maxLength(500)),
});
export const Contact = z.object({
  fullName: z.string(),
  email: z.string(),
  /** With a plus and a calling code; null if the number given at registration has another form. */
  phone: z.nullable(z.string()),
});
export type Contact = z.infer<typeof Contact>;
export const ContactResults = z.object({ results: z.array(z.nullable(Contact)) });

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
