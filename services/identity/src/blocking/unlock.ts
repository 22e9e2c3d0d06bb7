import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { mayDo } from '@vuka/contracts/http/admin-rights';
import type { Administrator, UnlockRequest } from '@vuka/contracts/http/administrators';
import { DAY_MS } from '@vuka/contracts/http/days';
import { AppError } from '@vuka/service-kit/app-error';

import { findAdministrator } from '#administrators/administrator.store.ts';
import type { Db, Transaction } from '#db/schema.ts';
import { writeAccountAttempts } from '#pins/account-attempts.store.ts';
import { NO_ATTEMPTS } from '#pins/pin-lock.domain.ts';
import { clearStrangerAttempts } from '#pins/stranger-attempts.store.ts';
import { countWithin } from '#pins/window-count.ts';
import { type AccountRecord, lockPinChecks, selectAccounts } from '#users/user.store.ts';
import type { Outcome } from './toggle-block.ts';

interface Unlocking {
  caller: AdminAction['caller'];
  now: Date;
}

/** Either the account is unlocked, or a second administrator must confirm. */
type Unlocked = Outcome | { request: UnlockRequest };

/**
 * Removes the lock caused by too many wrong PINs. One administrator unlocks a merchant, at most three times in 24
 * hours; two other owners within 24 hours unlock an administrator. A repeat changes nothing. Throws not_found, and
 * forbidden for one's own account or when there are not two other owners.
 */
export async function unlock(deps: { db: Db; now: () => Date }, caller: Caller, userId: string): Promise<Unlocked> {
  if (userId === caller.userId) throw new AppError('unlock_of_self');
  const now = deps.now();
  return deps.db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [userId]);
    const user = await selectAccounts(trx).where('users.id', '=', userId).executeTakeFirst();
    if (!user) throw new AppError('merchant_not_found');
    const administrator = await findAdministrator(trx, userId, { callerId: caller.userId, now });
    return administrator
      ? unlockAdministrator(trx, { user, administrator }, { caller, now })
      : unlockMerchant(trx, user, { caller, now });
  });
}

/**
 * The lock prevents trying all four-digit PINs: an administrator who guesses and unlocks in turn would find any
 * merchant's PIN within hours.
 */
const MOST_UNLOCKS = 3;
/** No email looks like this: the rows that count unlocks. */
const UNLOCKS = 'unlocks of an account';

async function unlockMerchant(trx: Transaction, user: AccountRecord, unlocking: Unlocking): Promise<Outcome> {
  if (!hasWrongPins(user)) return { user, isChanged: false };
  const row = { email: UNLOCKS, address: user.id };
  const waitSeconds = await countWithin(trx, row, { most: MOST_UNLOCKS, windowMs: DAY_MS, now: unlocking.now });
  if (waitSeconds > 0) throw new AppError('unlocks_too_many', { params: { max: MOST_UNLOCKS } });
  return { user: await endLock(trx, user, unlocking), isChanged: true };
}

async function unlockAdministrator(
  trx: Transaction,
  { user, administrator }: { user: AccountRecord; administrator: Administrator },
  unlocking: Unlocking & { caller: Caller },
): Promise<Unlocked> {
  if (!mayDo(unlocking.caller.role, 'administrators.manage')) throw new AppError('role_not_allowed');
  switch (administrator.unlockStep) {
    case 'none':
      return { user, isChanged: false };
    case 'own':
    case 'on-server':
      throw new AppError('unlock_on_server_only', { params: { email: user.email } });
    case 'request':
      return { request: await requestUnlock(trx, user, unlocking) };
    case 'requested':
    case 'confirm':
      if (!administrator.unlockRequest) throw new Error('a requested unlock has no request');
      return administrator.unlockStep === 'requested'
        ? { request: administrator.unlockRequest }
        : { user: await endLock(trx, user, unlocking, administrator.unlockRequest), isChanged: true };
  }
}

async function requestUnlock(
  trx: Transaction,
  user: AccountRecord,
  { caller, now }: Unlocking & { caller: Caller },
): Promise<UnlockRequest> {
  const request = { requested_by: caller.userId, requested_at: now };
  await trx
    .insertInto('unlock_requests')
    .values({ user_id: user.id, ...request })
    // Replaces an expired request.
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(request))
    .execute();
  const action: AdminAction = {
    source: '/vuka/identity',
    caller,
    action: 'administrator.unlock-requested',
    subject: { kind: 'user' as const, id: user.id, label: user.full_name },
    before: lockOf(user),
  };
  await recordAction(trx, action, now);
  const made = await findAdministrator(trx, user.id, { callerId: caller.userId, now });
  if (!made?.unlockRequest) throw new Error('the request just written is not found');
  return made.unlockRequest;
}

/**
 * Clears the wrong PINs of an account whose PIN checks are locked, and records who did it. Sessions are not changed.
 */
export async function endLock(
  trx: Transaction,
  user: AccountRecord,
  { caller, now }: Unlocking,
  request?: UnlockRequest,
): Promise<AccountRecord> {
  if (!hasWrongPins(user)) return user;
  await writeAccountAttempts(trx, user.id, NO_ATTEMPTS);
  await clearStrangerAttempts(trx, user.email);
  await trx.deleteFrom('unlock_requests').where('user_id', '=', user.id).execute();
  const action: AdminAction = {
    source: '/vuka/identity',
    caller,
    action: user.is_admin ? 'administrator.unlocked' : 'user.unlocked',
    subject: { kind: 'user' as const, id: user.id, label: user.full_name },
    before: { ...lockOf(user), ...(request ? { requestedBy: request.requestedBy } : {}) },
    after: { failedAttempts: 0, lockedUntil: null },
  };
  await recordAction(trx, action, now);
  return { ...user, pin_failed_attempts: 0, pin_lock_level: 0, pin_locked_until: null, strangers_locked_until: null };
}

export function hasWrongPins(user: AccountRecord): boolean {
  const ofAccount = user.pin_failed_attempts > 0 || user.pin_lock_level > 0 || user.pin_locked_until !== null;
  return ofAccount || user.strangers_locked_until !== null;
}

function lockOf(user: AccountRecord) {
  const lockedUntil = [user.pin_locked_until, user.strangers_locked_until]
    .map((end) => end?.toISOString() ?? '')
    .sort();
  return { failedAttempts: user.pin_failed_attempts, lockedUntil: lockedUntil.at(-1) || null };
}
