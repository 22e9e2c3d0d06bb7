import { type AdminRight, mayDo } from '@vuka/contracts/http/admin-rights';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { AdministratorNow } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { ServiceClient } from '@vuka/service-kit/service-client';

/**
 * The role in which a user can act as an administrator now; null if blocked or not an administrator. Throws
 * unavailable.
 */
export type RoleNow = (userId: string) => Promise<AdminRole | null>;

/** Asks identity. */
export function createRoleLookup(identity: Pick<ServiceClient, 'get'>): RoleNow {
  return async (userId) => (await identity.get(`/internal/administrators/${userId}/now`, AdministratorNow)).role;
}

/**
 * Throws requester_lost_right if an administrator may no longer do what they requested: a request that a thief or a
 * dishonest administrator left behind must not be approved. Call before the transaction of an approval.
 */
export async function mustStillHave(roleNow: RoleNow, userId: string, right: AdminRight): Promise<void> {
  if (!mayDo(await roleNow(userId), right)) throw new AppError('requester_lost_right');
}
