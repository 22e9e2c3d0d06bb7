import * as z from 'zod/mini';
import { AdminRole } from './admin-role.ts';
import { Id, Pin, Timestamp } from './common.ts';
import { Proposal } from './proposals.ts';

/** An administrator's request to unlock a colleague; a second administrator has to confirm it. */
export const UnlockRequest = z.object({
  requestedBy: z.object({ id: Id, adminId: z.nullable(z.string()), name: z.string() }),
  requestedAt: Timestamp,
  /** After this the request is ignored. */
  expiresAt: Timestamp,
});
export type UnlockRequest = z.infer<typeof UnlockRequest>;

/**
 * What the reader can do about another administrator's lock: `request` and `confirm` are the first and the second
 * call of `POST /api/admin/merchants/{id}/unlock`; `requested` waits for another administrator; `own` is their own
 * account; `on-server` needs `npm run admin:unlock`, since there are not two other administrators.
 */
export const UnlockStep = z.enum(['none', 'own', 'on-server', 'request', 'requested', 'confirm']);
export type UnlockStep = z.infer<typeof UnlockStep>;

/** A change of an administrator's role that waits for a second owner. */
export const RoleProposal = z.extend(Proposal, { from: AdminRole, to: AdminRole });
export type RoleProposal = z.infer<typeof RoleProposal>;

export const Administrator = z.object({
  id: Id,
  adminId: z.string(),
  role: AdminRole,
  /** How many second factors they have. */
  secondFactors: z.int(),
  roleProposal: z.nullable(RoleProposal),
  fullName: z.string(),
  email: z.string(),
  isBlocked: z.boolean(),
  /** After too many wrong PINs, no PIN is accepted before this time. Null if not locked. */
  lockedUntil: z.nullable(Timestamp),
  unlockRequest: z.nullable(UnlockRequest),
  unlockStep: UnlockStep,
});
export type Administrator = z.infer<typeof Administrator>;

/** `GET /api/admin/administrators`, in the order of their creation. */
export const Administrators = z.object({ administrators: z.array(Administrator) });

/** The answer 202 to the first call that unlocks an administrator. */
export const UnlockRequested = z.object({ unlockRequest: UnlockRequest });

/** `POST /api/admin/administrators/{id}/role`. */
export const RoleChange = z.object({
  role: AdminRole,
  /** Asked of the only owner when the change joins or leaves a role that moves money. */
  pin: z.optional(Pin),
});

/** The administrator after a change of the role, or with the proposal of one: then the answer is 202. */
export const RoleAnswer = z.object({ administrator: Administrator });
export type RoleAnswer = z.infer<typeof RoleAnswer>;
