import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';
import { afterRightPin, reserveAttempt } from '#pins/reserve-attempt.ts';
import { announcePinChanged, announceSessionsEnded, countWrongPins, hashToken } from '#sessions/session.store.ts';
import { findUser, type UserRecord } from '#users/user.store.ts';
import { refuseTrivialPin } from './register.ts';
import type { SignInDeps } from './sign-in.ts';

export interface PinChange {
  caller: Caller;
  /** The requesting session, the only one that remains. */
  token: string;
  currentPin: string;
  newPin: string;
}

/**
 * Changes a user's PIN. Throws invalid_pin, which counts as a failed attempt, too_many_attempts, unavailable, and
 * validation_failed for a trivial PIN.
 */
export async function changePin(deps: SignInDeps, change: PinChange): Promise<void> {
  refuseTrivialPin(change.newPin, 'newPin');
  const user = await findUser(deps.db, change.caller.userId);
  if (!user) throw new AppError('not_signed_in');
  await deps.serial(user.email, () => deps.hasher.admit(() => replacePin(deps, user, change)));
}

async function replacePin(deps: SignInDeps, user: UserRecord, change: PinChange): Promise<void> {
  const reserved = await reserveAttempt(deps, { kind: 'known', user });
  if (!(await deps.hasher.verify(user.id, change.currentPin, user.pin))) {
    await countWrongPins([hashToken(change.token)]).execute(deps.db);
    deps.onWrongPin({ door: 'session', locks: reserved.locks, userId: user.id });
    throw new AppError('invalid_pin');
  }
  const verifier = await deps.hasher.hash(user.id, change.newPin);
  const pinVersion = user.pin_version + 1;
  await afterRightPin(deps, reserved, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ pin: verifier, pin_version: pinVersion, updated_at: deps.now() })
      .where('id', '=', user.id)
      .where('pin_version', '=', user.pin_version)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('invalid_pin');
    const hash = hashToken(change.token);
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).where('id_hash', '!=', hash).execute();
    const seal = deps.sealer.seal({ token: change.token, userId: user.id, pinVersion }, change.newPin);
    await trx
      .updateTable('sessions')
      .set({ seal, seal_key_id: deps.sealer.keyId, pin_version: pinVersion, pin_checked_at: deps.now() })
      .where('id_hash', '=', hash)
      .execute();
    await announceSessionsEnded(trx, { userId: user.id, reason: 'pin_changed' });
    await announcePinChanged(trx, { userId: user.id, how: 'changed', at: deps.now().toISOString() });
    if (!user.is_admin) return;
    const subject = { kind: 'user' as const, id: user.id, label: user.full_name };
    const { caller } = change;
    await recordAction(trx, { source: '/vuka/identity', caller, action: 'user.pin-changed', subject }, deps.now());
  });
}
