import type { UnlockStep } from '@vuka/contracts/http/administrators';

/** How long a request waits for the second administrator. */
export const REQUEST_LASTS_MS = 24 * 60 * 60_000;

interface LockedAdmin {
  id: string;
  isLocked: boolean;
  /** Who requested the unlock, if the request is still valid and they can still sign in. */
  requestedBy: string | null;
  /** The number of other owners who can sign in. */
  otherOwners: number;
}

/** The caller's next step to unlock an administrator: it takes two other owners, never the locked one. */
export function unlockStep(admin: LockedAdmin, callerId: string): UnlockStep {
  if (!admin.isLocked) return 'none';
  if (admin.id === callerId) return 'own';
  if (admin.otherOwners < 2) return 'on-server';
  if (admin.requestedBy === null) return 'request';
  return admin.requestedBy === callerId ? 'requested' : 'confirm';
}
