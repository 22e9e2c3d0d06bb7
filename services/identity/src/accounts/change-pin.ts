import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';
import { answerOnce, type KeepAnswer } from '@vuka/service-kit/first-answers';
import type { Schema } from '#db/schema.ts';
import { afterRightPin, reserveAttempt } from '#pins/reserve-attempt.ts';
import {
  announcePinChanged,
  announceSessionsEnded,
  countWrongPins,
  forgetOtherDevices,
  hashToken,
} from '#sessions/session.store.ts';
import { findUser, type UserRecord } from '#users/user.store.ts';
import { refuseTrivialPin } from './register.ts';
import type { SignInDeps } from './sign-in.ts';

export interface PinChange {
  caller: Caller;
  /** The requesting session: it and its device are the only ones that remain. */
  token: string;
  currentPin: string;
  newPin: string;
  /** A repeat under the same key is the same change: its current PIN is the old one, and is not checked again. */
  idempotencyKey: string | undefined;
}

/** What is kept of a change. */
interface Changed {
  pinVersion: number;
}

/**
 * Changes a user's PIN. Throws invalid_pin, which counts as a failed attempt, too_many_attempts, unavailable,
 * idempotency_conflict, and validation_failed for a trivial PIN.
 */
export async function changePin(deps: SignInDeps, change: PinChange): Promise<void> {
  refuseTrivialPin(change.newPin, 'newPin');
  const user = await findUser(deps.db, change.caller.userId);
  if (!user) throw new AppError('not_signed_in');
  const keyed = {
    userId: user.id,
    operation: 'PIN change',
    key: change.idempotencyKey,
    content: contentOf(deps, change),
  };
  const { pinVersion } = await deps.serial(user.email, () =>
    answerOnce<Schema, Changed>(deps.db, keyed, (keep) =>
      deps.hasher.admit(() => replacePin(deps, user, change, keep)),
    ),
  );
  // A repeat that comes after another change must not say that this one counts.
  if (user.pin_version > pinVersion) throw new AppError('key_reused');
}

/**
 * Tells two changes apart without storing a PIN. With both PINs, so that a repeat tells nothing that its sender does not
 * know. No session has this version of a PIN.
 */
function contentOf({ sealer }: SignInDeps, { caller, token, currentPin, newPin }: PinChange): string {
  return sealer.seal({ token, userId: caller.userId, pinVersion: 0 }, `${currentPin} ${newPin}`).toString('base64url');
}

async function replacePin(
  deps: SignInDeps,
  user: UserRecord,
  change: PinChange,
  keep: KeepAnswer<Schema, Changed>,
): Promise<Changed> {
  const reserved = await reserveAttempt(deps, { kind: 'session', user });
  if (!(await deps.hasher.verify(user.id, change.currentPin, user.pin))) {
    await countWrongPins([hashToken(change.token)]).execute(deps.db);
    deps.onWrongPin({ door: 'session', locks: reserved.locks, userId: user.id });
    throw new AppError('invalid_pin');
  }
  const verifier = await deps.hasher.hash(user.id, change.newPin);
  const pinVersion = user.pin_version + 1;
  return afterRightPin(deps, reserved, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ pin: verifier, pin_version: pinVersion, updated_at: deps.now() })
      .where('id', '=', user.id)
      .where('pin_version', '=', user.pin_version)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('invalid_pin');
    const hash = hashToken(change.token);
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).where('id_hash', '!=', hash).execute();
    await forgetOtherDevices(trx, user.id, change.token);
    const seal = deps.sealer.seal({ token: change.token, userId: user.id, pinVersion }, change.newPin);
    await trx
      .updateTable('sessions')
      .set({ seal, seal_key_id: deps.sealer.keyId, pin_version: pinVersion, pin_checked_at: deps.now() })
      .where('id_hash', '=', hash)
      .execute();
    await announceSessionsEnded(trx, { userId: user.id, reason: 'pin_changed' });
    await announcePinChanged(trx, { userId: user.id, how: 'changed', at: deps.now().toISOString() });
    await keep(trx, { pinVersion });
    if (!user.is_admin) return { pinVersion };
    const subject = { kind: 'user' as const, id: user.id, label: user.full_name };
    const { caller } = change;
    await recordAction(trx, { source: '/vuka/identity', caller, action: 'user.pin-changed', subject }, deps.now());
    return { pinVersion };
  });
}
