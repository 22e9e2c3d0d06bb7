import type { Merchant } from '@vuka/contracts/http/merchants';
import type { User } from '@vuka/contracts/http/users';
import type { UserRecord } from './user.store.ts';

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
    createdAt: user.created_at.toISOString(),
  };
}

/** The fields of a user that a merchant list needs. */
export type MerchantRecord = Omit<UserRecord, 'admin_id'>;

/** A merchant as administrators see it, without expired locks. */
export function toMerchant(user: MerchantRecord, now: Date): Merchant {
  const lockedUntil = user.pin_locked_until;
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
    lockedUntil: lockedUntil && lockedUntil > now ? lockedUntil.toISOString() : null,
    createdAt: user.created_at.toISOString(),
  };
}
