import type { Browser, OpenedSession, SignIn } from '@vuka/contracts/internal/identity';
import { addressBlockOf } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import type { Serial } from '@vuka/service-kit/serial';
import { addressOfDevice, knowsDevice, rememberDevice } from '#accounts/device.store.ts';
import type { Db } from '#db/schema.ts';
import { inNetworkQueue } from '#pins/network-queue.ts';
import type { PinHasher } from '#pins/pin-hasher.ts';
import type { PinSealer } from '#pins/pin-seal.ts';
import type { SprayingWatch } from '#pins/pin-spraying.ts';
import { afterRightPin, confirmWrong, type Door, type Reserved, reserveAttempt } from '#pins/reserve-attempt.ts';
import type { SealedOrigins } from '#sessions/sealed-origins.ts';
import { announceSignIn, openSession } from '#sessions/session.store.ts';
import { findUserByEmail, NO_USER_ID, type UserRecord } from '#users/user.store.ts';
import { toUser } from '#users/user.view.ts';

interface WrongPin {
  door: Door['kind'];
  locks: boolean;
  /** Undefined for an unknown email. */
  userId: string | undefined;
  /** The network address of a sign-in. */
  address?: string | undefined;
}

export interface SignInDeps {
  db: Db;
  hasher: PinHasher;
  sealer: PinSealer;
  sealedOrigins: SealedOrigins;
  /** Checks one user's PINs one at a time, so that concurrent right ones do not count as wrong. */
  serial: Serial;
  spraying: SprayingWatch;
  /** Logs and counts wrong PINs and the locks that they cause. */
  onWrongPin: (facts: WrongPin) => void;
  now: () => Date;
  pause: (ms: number) => Promise<unknown>;
}

/**
 * Opens a session. A wrong email and a wrong PIN get the same answer in the same time, and are counted and locked
 * alike. Throws invalid_credentials, too_many_attempts, account_blocked, rate_limited, unavailable.
 */
export async function signIn(deps: SignInDeps, form: SignIn): Promise<OpenedSession> {
  // Before waiting for other sign-ins with the same email: otherwise a stranger's delays would hold up the owner.
  await deps.spraying.slowDown(form.pin);
  return deps.serial(form.username.toLowerCase(), () => judgeSignIn(deps, form));
}

async function judgeSignIn(deps: SignInDeps, form: SignIn): Promise<OpenedSession> {
  const user = await findUserByEmail(deps.db, form.username);
  const door = await doorOf(deps.db, user, form);
  const { reserved, isRight } = await deps.hasher.admit(async () => ({
    reserved: await reserve(deps, door),
    isRight: await (user ? deps.hasher.verify(user.id, form.pin, user.pin) : deps.hasher.pretend(form.pin)),
  }));
  if (!user || !isRight) {
    await confirmWrong(deps, reserved);
    const { address } = form.browser;
    deps.onWrongPin({ door: door.kind, locks: reserved.locks, userId: user?.id, address });
    deps.spraying.wrong(form.pin, form.username);
    throw new AppError('invalid_credentials');
  }
  return admit(deps, user, { ...form, reserved });
}

async function doorOf(db: Db, user: UserRecord | undefined, { username, browser }: SignIn): Promise<Door> {
  const { device } = browser;
  // Asked in any case, so that the time to answer says nothing about the email.
  const isKnown = await knowsDevice(db, user?.id ?? NO_USER_ID, browser);
  if (user && device && isKnown) {
    return { kind: 'known', user, email: username, address: addressOfDevice(device) };
  }
  return { kind: 'stranger', user, email: username, address: addressBlockOf(browser.address) };
}

function reserve(deps: SignInDeps, door: Door): Promise<Reserved> {
  if (door.kind !== 'stranger') return reserveAttempt(deps, door);
  return inNetworkQueue(deps, door.address, () => reserveAttempt(deps, door));
}

async function admit(
  deps: SignInDeps,
  user: UserRecord,
  { pin, browser, reserved }: { pin: string; browser: Browser; reserved: Reserved },
): Promise<OpenedSession> {
  const opened = await afterRightPin(deps, reserved, async (trx) => {
    // Locked: a block or a reset that is decided meanwhile waits, and then ends this session too.
    const now = await trx
      .selectFrom('users')
      .select(['is_blocked', 'is_active', 'pin_version'])
      .where('id', '=', user.id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (now.is_blocked || !now.is_active) return undefined;
    if (now.pin_version !== user.pin_version) throw new AppError('invalid_credentials');
    await announceSignIn(trx, { userId: user.id, at: deps.now().toISOString() });
    const { deviceHash, ...cookie } = await rememberDevice(trx, user.id, browser, deps.now());
    return { token: await openSession({ ...deps, db: trx }, user, { pin, browser, deviceHash }), ...cookie };
  });
  if (!opened) throw accountBlocked();
  if (deps.hasher.isOutdated(user.pin)) await rehash(deps, user, pin);
  return { user: toUser(user), ...opened };
}

/** Replaces a verifier of an earlier release, now that its PIN is known. */
async function rehash({ db, hasher }: SignInDeps, user: UserRecord, pin: string): Promise<void> {
  const verifier = await hasher.hash(user.id, pin);
  await db.updateTable('users').set({ pin: verifier }).where('id', '=', user.id).where('pin', '=', user.pin).execute();
}

function accountBlocked(): AppError {
  return new AppError('account_blocked');
}
