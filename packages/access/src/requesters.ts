import { type AdminRight, mayDo } from '@vuka/contracts/http/admin-rights';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { AdministratorNow } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { ServiceClient } from '@vuka/service-kit/service-client';

/** The role in which an administrator can act now: null for one who is blocked, or no administrator. Throws unavailable. */
export type RoleNow = (userId: string) => Promise<AdminRole | null>;

/** Asks identity. */
export function createRoleLookup(identity: Pick<ServiceClient, 'get'>): RoleNow {
  return async (userId) => (await identity.get(`/internal/administrators/${userId}/now`, AdministratorNow)).role;
}

/**
 * Throws requester_lost_right if an administrator may no longer do what they requested: what a thief or a dishonest
 * administrator left behind must not be approved unseen. Call before the transaction of an approval.
 */
export async function mustStillHave(roleNow: RoleNow, userId: string, right: AdminRight): Promise<void> {
  if (!mayDo(await roleNow(userId), right)) throw new AppError('requester_lost_right');
}
