import type { IncomingHttpHeaders } from 'node:http';
import { Tier } from '@vuka/contracts/http/tiers';
import { AppError } from '@vuka/service-kit/app-error';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import * as z from 'zod/mini';

/** The person a request is made for, as the gateway established. Carried in a signed token that lives 60 s. */
export const Caller = z.object({
  userId: z.string(),
  isAdmin: z.boolean(),
  adminId: z.nullable(z.string()),
  merchantId: z.nullable(z.string()),
  name: z.string(),
  phone: z.string(),
  /** The PIN was sent with this request, and was correct. */
  pinVerified: z.boolean(),
  /** The PIN was checked in this session within identity's recent-PIN window. */
  pinRecent: z._default(z.boolean(), false),
  /** Decides which limits on transactions apply. */
  tier: z._default(Tier, 'unverified'),
  /** The only administrator, blocked ones counted. */
  isOnlyAdmin: z._default(z.boolean(), false),
  requestId: z.string(),
  /** The network address that the request came from. */
  address: z.optional(z.string()),
});
export type Caller = z.infer<typeof Caller>;

const KIND = 'caller';
const CALLER_TOKEN_LIFE_MS = 60_000;

/** A token that names the caller, for the services that the request is passed on to. */
export function signCaller(tokens: InternalTokens, caller: z.input<typeof Caller>): string {
  return tokens.sign(KIND, { caller }, CALLER_TOKEN_LIFE_MS);
}

/** The caller that a token names, or undefined when it is forged, expired or malformed. */
export function verifyCaller(tokens: InternalTokens, token: string): Caller | undefined {
  const result = Caller.safeParse(tokens.open(KIND, token)?.caller);
  return result.success ? result.data : undefined;
}

/** The person on whose behalf an internal request is made; throws unauthenticated without a valid caller token. */
export function callerOf(request: { headers: IncomingHttpHeaders }, tokens: InternalTokens): Caller {
  const token = request.headers['x-vuka-caller'];
  const caller = typeof token === 'string' ? verifyCaller(tokens, token) : undefined;
  if (!caller) throw new AppError('not_signed_in');
  return caller;
}

/** Like `callerOf`, and the caller must be an administrator. */
export function adminOf(request: { headers: IncomingHttpHeaders }, tokens: InternalTokens): Caller {
  const caller = callerOf(request, tokens);
  if (!caller.isAdmin) throw new AppError('not_an_administrator');
  return caller;
}

/**
 * Like `adminOf`, and their PIN must have been checked recently: for actions that make money, set prices or change
 * permissions. Otherwise throws step_up_required, upon which the client asks for the PIN and repeats the request.
 */
export function confirmedAdminOf(request: { headers: IncomingHttpHeaders }, tokens: InternalTokens): Caller {
  const caller = adminOf(request, tokens);
  if (caller.pinRecent || caller.pinVerified) return caller;
  throw new AppError('pin_not_recent');
}

/** Like `adminOf`, and their PIN must have been checked for this request: for other people's money and access. */
export function decidingAdminOf(request: { headers: IncomingHttpHeaders }, tokens: InternalTokens): Caller {
  const caller = adminOf(request, tokens);
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  return caller;
}
