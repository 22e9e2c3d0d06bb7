import type { Merchant } from '@vuka/contracts/http/merchants';
import type { User } from '@vuka/contracts/http/signed-in-user';
import type { AccountRecord, UserRecord } from './user.store.ts';

/** The fields of a user that may leave this service. */
export function toUser(user: UserRecord): User {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    fullName: user.full_name,
    phone: user.phone,
    country: user.country,
    defaultCurrency: user.default_currency,
    isAdmin: user.is_admin,
    merchantData: user.merchant_id === null ? null : { merchantId: user.merchant_id },
    adminId: user.admin_id,
    ...(user.role ? { adminRole: user.role } : {}),
    createdAt: user.created_at.toISOString(),
  };
}

/** The fields of a user that a merchant list needs. */
export type MerchantRecord = Omit<AccountRecord, 'admin_id' | 'role'>;

/** The end of the lock that lasts longest, of the account or of sign-ins; undefined without one. */
export function lockEnd(
  locks: Pick<AccountRecord, 'pin_locked_until' | 'strangers_locked_until'>,
  now: Date,
): Date | undefined {
  return [locks.pin_locked_until, locks.strangers_locked_until]
    .filter((end) => end !== null && end > now)
    .reduce<Date | undefined>((last, end) => (end && (!last || end > last) ? end : last), undefined);
}

/** A merchant as administrators see it, without expired locks. */
export function toMerchant(user: MerchantRecord, now: Date): Merchant {
  const lockedUntil = lockEnd(user, now);
  return {
    id: user.id,
    username: user.username,
    fullName: user.full_name,
    email: user.email,
    phone: user.phone,
    country: user.country,
    defaultCurrency: user.default_currency,
    merchantId: user.merchant_id ?? '',
    isBlocked: user.is_blocked,
    lockedUntil: lockedUntil?.toISOString() ?? null,
    createdAt: user.created_at.toISOString(),
  };
}
