import { randomInt } from 'node:crypto';
import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { isTrivialPin } from '@vuka/contracts/http/users';
import { COUNTRIES } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { countryOf } from '@vuka/money/directions';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Db, Transaction } from '#db/schema.ts';
import type { PinHasher } from '#pins/pin-hasher.ts';
import { clearStrangerAttempts } from '#pins/stranger-attempts.store.ts';
import { announcePinChanged, announceSessionsEnded } from '#sessions/session.store.ts';
import { toE164 } from '#users/phone.domain.ts';
import { findUserByEmail, lockPinChecks, type UserRecord } from '#users/user.store.ts';
import { onServer } from './on-server.ts';

/** The country of administrators whose number does not tell it. */
const HOME = COUNTRIES[countryOf(WALLET_CURRENCIES[0])];

export interface NewAdmin {
  email: string;
  name: string;
  phone: string;
  pin: string;
  role: AdminRole;
  /** For an existing administrator: set this PIN and remove the lock. */
  resetPin: boolean;
}

/** Creates an administrator. Throws email_taken for an email in use, unless it belongs to an administrator to reset. */
export async function createAdmin(
  { db, hasher }: { db: Db; hasher: PinHasher },
  admin: NewAdmin,
): Promise<{ adminId: string; isNew: boolean }> {
  if (!/^\d{4}$/.test(admin.pin) || isTrivialPin(admin.pin)) {
    throw new AppError('administrator_pin_invalid');
  }
  const known = await findUserByEmail(db, admin.email);
  const id = known?.id ?? uuidv7();
  const verifier = await hasher.hash(id, admin.pin);
  if (known) {
    if (!known.admin_id || !admin.resetPin) {
      throw new AppError('email_taken');
    }
    await resetPin(db, known, verifier);
    return { adminId: known.admin_id, isNew: false };
  }
  const adminId = await db.transaction().execute((trx) => insertAdmin(trx, { ...admin, id, verifier }));
  return { adminId, isNew: true };
}

async function insertAdmin(trx: Transaction, admin: NewAdmin & { id: string; verifier: string }): Promise<string> {
  const email = admin.email.toLowerCase();
  await trx
    .insertInto('users')
    .values({
      id: admin.id,
      username: email,
      pin: admin.verifier,
      email,
      full_name: admin.name,
      phone: admin.phone,
      phone_e164: toE164(admin.phone, HOME.name),
      default_currency: HOME.currency,
      country: HOME.name,
      pin_locked_until: null,
      is_admin: true,
    })
    .execute();
  const adminId = `ADM${randomInt(10 ** 7, 10 ** 8)}`;
  await trx.insertInto('admins').values({ user_id: admin.id, admin_id: adminId, role: admin.role }).execute();
  const entry: AdminAction = {
    ...onServer('admin:create'),
    action: 'administrator.created',
    subject: { kind: 'user' as const, id: admin.id, label: admin.name },
    after: { adminId, role: admin.role },
  };
  await recordAction(trx, entry, new Date());
  return adminId;
}

/** Sets a PIN, and ends the lock and the sessions, whose seals are bound to the former PIN. */
async function resetPin(db: Db, { id: userId, email, full_name: label }: UserRecord, verifier: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [userId]);
    await trx
      .updateTable('users')
      .set((update) => ({
        pin: verifier,
        pin_version: update('pin_version', '+', 1),
        pin_failed_attempts: 0,
        pin_lock_level: 0,
        pin_locked_until: null,
      }))
      .where('id', '=', userId)
      .execute();
    await clearStrangerAttempts(trx, email);
    await trx.deleteFrom('devices').where('user_id', '=', userId).execute();
    await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
    await announceSessionsEnded(trx, { userId, reason: 'pin_changed' });
    await announcePinChanged(trx, { userId, how: 'reset', at: new Date().toISOString() });
    const entry = { ...onServer('admin:create --reset-pin'), action: 'administrator.pin-reset' as const };
    await recordAction(trx, { ...entry, subject: { kind: 'user', id: userId, label } }, new Date());
  });
}
