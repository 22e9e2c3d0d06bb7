import type { Tier } from '@vuka/contracts/http/tiers';

/** The limits are the lowest for this long after a PIN reset, since a thief may have made it. */
const LOWER_LIMITS_AFTER_RESET_MS = 24 * 60 * 60_000;

interface TierFacts {
  phone_verified_at: Date | null;
  email_verified_at: Date | null;
  pin_reset_at: Date | null;
  is_business: boolean;
}

/** Which limits on transactions apply to a user. */
export function tierOf(user: TierFacts, now: Date): Tier {
  const sinceResetMs = user.pin_reset_at ? now.getTime() - user.pin_reset_at.getTime() : Number.POSITIVE_INFINITY;
  if (sinceResetMs < LOWER_LIMITS_AFTER_RESET_MS) return 'unverified';
  if (user.is_business) return 'business';
  return user.phone_verified_at && user.email_verified_at ? 'verified' : 'unverified';
}
