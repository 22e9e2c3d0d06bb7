import type { IncomingHttpHeaders } from 'node:http';
import { type AdminRight, mayDo } from '@vuka/contracts/http/admin-rights';
import { AdminRole, FactorState } from '@vuka/contracts/http/admin-role';
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
  /** An administrator's role; without one they may do nothing. */
  role: z._default(z.nullable(AdminRole), null),
  factor: z._default(FactorState, 'none'),
  /** The second factor was given in this session within identity's window. */
  factorRecent: z._default(z.boolean(), false),
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

type Request = { headers: IncomingHttpHeaders };

/** Like `callerOf`, for administrators whose sign-in is not complete: only for calls that complete it. */
export function enteringAdminOf(request: Request, tokens: InternalTokens): Caller {
  const caller = callerOf(request, tokens);
  if (!caller.isAdmin) throw new AppError('not_an_administrator');
  return caller;
}

/** Like `callerOf`, and the caller must be an administrator whose role has this right. */
export function adminOf(request: Request, tokens: InternalTokens, right: AdminRight): Caller {
  const caller = enteringAdminOf(request, tokens);
  refuseIncomplete(caller.factor);
  if (!mayDo(caller.role, right)) throw new AppError('role_not_allowed');
  return caller;
}

/**
 * Like `adminOf`, and it must have been confirmed recently that it is them: for actions that make money, set prices or
 * change permissions. By the second factor, or by the PIN for administrators without one. Otherwise throws
 * step_up_required, upon which the client asks for it and repeats the request.
 */
export function confirmedAdminOf(request: Request, tokens: InternalTokens, right: AdminRight): Caller {
  const caller = adminOf(request, tokens, right);
  if (hasFactor(caller)) refuseOldFactor(caller);
  else if (!caller.pinRecent && !caller.pinVerified) throw new AppError('pin_not_recent');
  return caller;
}

/**
 * Like `adminOf`, and their PIN must have been checked for this request, and the second factor recently if they have
 * one: for other people's money and access.
 */
export function decidingAdminOf(request: Request, tokens: InternalTokens, right: AdminRight): Caller {
  const caller = adminOf(request, tokens, right);
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  refuseOldFactor(caller);
  return caller;
}

/**
 * Who may act on a whole account: its user with the PIN, or an administrator with this right, as in `decidingAdminOf`.
 */
export function accountActorOf(
  request: Request,
  tokens: InternalTokens,
  { userId, right }: { userId: string; right: AdminRight },
): Caller {
  const caller = callerOf(request, tokens);
  if (caller.userId !== userId) return decidingAdminOf(request, tokens, right);
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  return caller;
}

/** Who may read all of an account: its user, or an administrator with this right. */
export function accountReaderOf(
  request: Request,
  tokens: InternalTokens,
  { userId, right }: { userId: string; right: AdminRight },
): Caller {
  const caller = callerOf(request, tokens);
  return caller.userId === userId ? caller : adminOf(request, tokens, right);
}

/** Throws factor_missing or factor_pending while an administrator's sign-in is not complete. */
export function refuseIncomplete(factor: FactorState): void {
  if (factor === 'enrol') throw new AppError('factor_missing');
  if (factor === 'pending') throw new AppError('factor_pending');
}

export const hasFactor = ({ factor }: Pick<Caller, 'factor'>) => factor === 'pending' || factor === 'verified';

function refuseOldFactor(caller: Caller): void {
  if (hasFactor(caller) && !caller.factorRecent) throw new AppError('factor_not_recent');
}
