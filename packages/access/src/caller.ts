import type { IncomingHttpHeaders } from 'node:http';
import { type AdminRight, mayDo } from '@vuka/contracts/http/admin-rights';
import { AdminRole, FactorState } from '@vuka/contracts/http/admin-role';
import { Tier } from '@vuka/contracts/http/tiers';
import { AppError } from '@vuka/service-kit/app-error';
import * as z from 'zod/mini';

/**
 * The person on whose behalf a service calls another. Accepted from the services that a route admits, of which the
 * gateway has checked the session; not signed, since the call itself is.
 */
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

const HEADER = 'x-vuka-caller';

/** The caller as a header's value: JSON in base64url. */
export function encodeCaller(caller: z.input<typeof Caller>): string {
  return Buffer.from(JSON.stringify(caller)).toString('base64url');
}

/** The caller that a header names. Throws not_signed_in if it is missing or malformed. */
export function decodeCaller(text: unknown): Caller {
  const result = typeof text === 'string' ? Caller.safeParse(parsed(text)) : undefined;
  if (!result?.success) throw new AppError('not_signed_in');
  return result.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

type Request = { headers: IncomingHttpHeaders };

/**
 * The person on whose behalf an internal request is made. Only for internal routes, which only admitted services reach.
 * Throws not_signed_in without one.
 */
export function callerOf(request: Request): Caller {
  return decodeCaller(request.headers[HEADER]);
}

/** Like `callerOf`, for administrators whose sign-in is not complete: only for calls that complete it. */
export function enteringAdminOf(request: Request): Caller {
  const caller = callerOf(request);
  if (!caller.isAdmin) throw new AppError('not_an_administrator');
  return caller;
}

/** Like `callerOf`, and the caller must be an administrator whose role has this right. */
export function adminOf(request: Request, right: AdminRight): Caller {
  const caller = enteringAdminOf(request);
  refuseIncomplete(caller.factor);
  if (!mayDo(caller.role, right)) throw new AppError('role_not_allowed');
  return caller;
}

/**
 * Like `adminOf`, for actions that make money, set prices or change permissions: the administrator must have confirmed
 * recently, by the second factor, or by the PIN if they have none. Otherwise throws step_up_required, upon which the
 * client asks for the confirmation and repeats the request.
 */
export function confirmedAdminOf(request: Request, right: AdminRight): Caller {
  const caller = adminOf(request, right);
  if (hasFactor(caller)) refuseOldFactor(caller);
  else if (!caller.pinRecent && !caller.pinVerified) throw new AppError('pin_not_recent');
  return caller;
}

/**
 * Like `adminOf`, for other people's money and access: the PIN must have been checked for this request, and the second
 * factor recently if they have one.
 */
export function decidingAdminOf(request: Request, right: AdminRight): Caller {
  const caller = adminOf(request, right);
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  refuseOldFactor(caller);
  return caller;
}

/**
 * Who may act on a whole account: its user with the PIN, or an administrator with this right, as in `decidingAdminOf`.
 */
export function accountActorOf(request: Request, { userId, right }: { userId: string; right: AdminRight }): Caller {
  const caller = callerOf(request);
  if (caller.userId !== userId) return decidingAdminOf(request, right);
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  return caller;
}

/** Who may read all of an account: its user, or an administrator with this right. */
export function accountReaderOf(request: Request, { userId, right }: { userId: string; right: AdminRight }): Caller {
  const caller = callerOf(request);
  return caller.userId === userId ? caller : adminOf(request, right);
}

/** Throws factor_missing or factor_pending while an administrator's sign-in is not complete. */
export function refuseIncomplete(factor: FactorState): void {
  if (factor === 'enrol') throw new AppError('factor_missing');
  if (factor === 'pending') throw new AppError('factor_pending');
}

export const hasFactor = ({ factor }: Pick<Caller, 'factor'>) => factor === 'pending' || factor === 'verified';

/** Throws factor_not_recent for an administrator who has a second factor and has not given it recently. */
export function refuseOldFactor(caller: Caller): void {
  if (hasFactor(caller) && !caller.factorRecent) throw new AppError('factor_not_recent');
}

/** The id under which decisions of an administrator are stored. */
export const idOfAdmin = ({ adminId, userId }: Pick<Caller, 'adminId' | 'userId'>): string => adminId ?? userId;
