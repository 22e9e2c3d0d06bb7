import type { LoginForm } from '@vuka/contracts/http/users';
import type { OpenedSession } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { Serial } from '@vuka/service-kit/serial';
import type { Db } from '#db/schema.ts';
import { reserveAttempt, writeAttempts } from '#pins/pin-attempt.store.ts';
import type { PinHasher } from '#pins/pin-hasher.ts';
import { NO_ATTEMPTS } from '#pins/pin-lock.domain.ts';
import type { PinSealer } from '#pins/pin-seal.ts';
import type { SprayingWatch } from '#pins/pin-spraying.ts';
import { announceSignIn, openSession } from '#sessions/session.store.ts';
import { findUserByEmail } from '#users/user.store.ts';
import { toUser } from '#users/user.view.ts';

export interface SignInDeps {
  db: Db;
  hasher: PinHasher;
  sealer: PinSealer;
  /** Checks one user's PINs one at a time, so that concurrent right ones do not count as wrong. */
  serial: Serial;
  spraying: SprayingWatch;
  now: () => Date;
}

/**
 * Opens a session. A wrong email and a wrong PIN get the same answer in the same time, and are counted and locked
 * alike. Throws invalid_credentials, too_many_attempts, account_blocked, rate_limited, unavailable.
 */
export async function signIn(deps: SignInDeps, form: LoginForm): Promise<OpenedSession> {
  return deps.serial(form.username.toLowerCase(), () => judgeSignIn(deps, form));
}

async function judgeSignIn(deps: SignInDeps, form: LoginForm): Promise<OpenedSession> {
  await deps.spraying.slowDown(form.pin);
  const user = await findUserByEmail(deps.db, form.username);
  const isRight = await deps.hasher.admit(async () => {
    await reserveAttempt(deps, user, form.username);
    return user ? deps.hasher.verify(user.id, form.pin, user.pin) : deps.hasher.pretend(form.pin);
  });
  if (!user || !isRight) {
    deps.spraying.wrong(form.pin, form.username);
    throw new AppError('invalid_credentials');
  }
  await writeAttempts(deps.db, user, form.username, NO_ATTEMPTS);
  if (user.is_blocked || !user.is_active) throw accountBlocked();
  const token = await deps.db.transaction().execute(async (trx) => {
    await announceSignIn(trx, { userId: user.id, at: deps.now().toISOString() });
    return openSession({ ...deps, db: trx }, user, form.pin);
  });
  return { user: toUser(user), token };
}

function accountBlocked(): AppError {
  return new AppError('account_blocked');
}
