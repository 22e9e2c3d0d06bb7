/** Wrong PINs and the lock that follows. Pure. */
export interface PinAttempts {
  failedAttempts: number;
  /** How many times in a row all attempts were used up. */
  lockLevel: number;
  lockedUntil: Date | null;
}

const FIRST_LOCK_MS = 15 * 60_000;
export const LONGEST_LOCK_MS = 24 * 60 * 60_000;

export const NO_ATTEMPTS: PinAttempts = { failedAttempts: 0, lockLevel: 0, lockedUntil: null };

/** Takes back this many wrong PINs; locks stay. */
export function withoutAttempts(attempts: PinAttempts, wrongPins: number): PinAttempts {
  return { ...attempts, failedAttempts: Math.max(0, attempts.failedAttempts - wrongPins) };
}

/** Seconds until a PIN may be tried again; 0 if now. */
export function lockedForSeconds(attempts: PinAttempts, now: Date): number {
  if (!attempts.lockedUntil) return 0;
  return Math.max(0, Math.ceil((attempts.lockedUntil.getTime() - now.getTime()) / 1_000));
}

/** The attempts after a wrong PIN. The last allowed attempt locks for 15 minutes, doubling each time, at most a day. */
export function afterWrongPin(attempts: PinAttempts, maxAttempts: number, now: Date): PinAttempts {
  const failedAttempts = attempts.failedAttempts + 1;
  if (failedAttempts < maxAttempts) return { ...attempts, failedAttempts, lockedUntil: null };
  const lockMs = Math.min(FIRST_LOCK_MS * 2 ** attempts.lockLevel, LONGEST_LOCK_MS);
  return { failedAttempts: 0, lockLevel: attempts.lockLevel + 1, lockedUntil: new Date(now.getTime() + lockMs) };
}
