import type { UnlockStep } from '@vuka/contracts/http/administrators';

/** As long as a request of the first administrator waits for the second one. */
export const REQUEST_LASTS_MS = 24 * 60 * 60_000;

interface LockedAdmin {
  id: string;
  isLocked: boolean;
  /** Who asked for the unlock within the time that a request lasts, if they can still sign in. */
  requestedBy: string | null;
  /** How many administrators besides this one can sign in. */
  otherAdmins: number;
}

/** What an administrator can do about the lock of another: it takes two, and never the one who is locked. */
export function unlockStep(admin: LockedAdmin, callerId: string): UnlockStep {
  if (!admin.isLocked) return 'none';
  if (admin.id === callerId) return 'own';
  if (admin.otherAdmins < 2) return 'on-server';
  if (admin.requestedBy === null) return 'request';
  return admin.requestedBy === callerId ? 'requested' : 'confirm';
}
