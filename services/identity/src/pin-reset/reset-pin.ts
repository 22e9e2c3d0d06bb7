import type { PinResetForm, PinResetRequested } from '@vuka/contracts/http/contact-verification';
import type { PinReset } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import { knowsDevice } from '#accounts/device.store.ts';
import { refuseTrivialPin } from '#accounts/register.ts';
import { countRequest } from '#codes/address-block-limit.ts';
import { askedFrom, findOpenCodeById, findOwnerOfOpenCode, issueCode, judgeCode } from '#codes/code.store.ts';
import { CODE_LIFE_MS } from '#codes/one-time-codes.ts';
import type { OneTimeCodeRow, Transaction, UserRow } from '#db/schema.ts';
import type { IdentityDeps } from '#deps.ts';
import { writeAccountAttempts } from '#pins/account-attempts.store.ts';
import { inNetworkQueue } from '#pins/network-queue.ts';
import { NO_ATTEMPTS } from '#pins/pin-lock.domain.ts';
import { clearStrangerAttempts } from '#pins/stranger-attempts.store.ts';
import { announcePinChanged, announceSessionsEnded } from '#sessions/session.store.ts';
import { findUserByEmail, lockPinChecks, NO_USER_ID, type UserRecord } from '#users/user.store.ts';
import { codeRefused } from '#verification/verify-contact.ts';

/** Longer than issuing a code takes: otherwise the time to answer would reveal which emails have accounts. */
const ANSWERED_AFTER_MS = 500;

/**
 * Sends a code to the merchant's verified number and a link to the verified email address. The answer is the same for
 * every email. Requests by strangers do not count against those by the account's own devices. Administrators are reset
 * on the server instead. Throws rate_limited, whatever the email, while strangers of a network request too many.
 */
export async function requestPinReset(deps: IdentityDeps, { username, browser }: PinReset): Promise<PinResetRequested> {
  const { address } = browser;
  const user = await findUserByEmail(deps.db, username);
  // Asked in any case, so that the time to answer says nothing about the email.
  const isOwnDevice = await knowsDevice(deps.db, user?.id ?? NO_USER_ID, browser);
  if (!isOwnDevice) await countReset(deps, address);
  const expiresAt = new Date(deps.now().getTime() + CODE_LIFE_MS).toISOString();
  // An id contains the time at which it was made, so it is made at the same moment with and without an account. Without
  // one it opens nothing.
  const id = uuidv7();
  const place = askedFrom(isOwnDevice, address);
  const issuing = user && canReset(user) ? issueReset(deps, user, { place, id }) : Promise.resolve(false);
  const [isIssued] = await Promise.all([issuing, deps.pause(ANSWERED_AFTER_MS)]);
  if (!isIssued) return { id, expiresAt };
  const link = `/reset-pin#id=${id}&token=${deps.codes.linkTokenOf(id)}`;
  return { id, expiresAt, ...(deps.showCodes ? { demo: { link, code: deps.codes.digitsOf(id) } } : {}) };
}

function countReset(deps: IdentityDeps, address: string | undefined): Promise<void> {
  const request = { what: 'reset' as const, address, now: deps.now() };
  return inNetworkQueue(deps, address, () => deps.db.transaction().execute((trx) => countRequest(trx, request)));
}

interface ResetRequest {
  place: ReturnType<typeof askedFrom>;
  /** The id of its code. */
  id: string;
}

async function issueReset({ db, now }: IdentityDeps, user: UserRecord, { place, id }: ResetRequest): Promise<boolean> {
  const request = {
    id,
    userId: user.id,
    purpose: 'reset_pin' as const,
    sentTo: user.phone_e164 ?? '',
    askedFrom: place,
  };
  try {
    await db.transaction().execute((trx) => issueCode(trx, request, now()));
    return true;
  } catch (error) {
    // Why no code was sent is not reported, since that would reveal that the account exists.
    if (error instanceof AppError) return false;
    throw error;
  }
}

const canReset = (user: UserRow) =>
  !user.is_admin &&
  !user.is_blocked &&
  user.is_active &&
  user.phone_e164 !== null &&
  user.phone_verified_at !== null &&
  user.email_verified_at !== null;

/**
 * Sets a new PIN by the link of the email and the code of the SMS together. Ends every session and lock, and forgets the
 * account's devices; lower limits hold for a day. Throws validation_failed, also once the account may no longer be reset.
 */
export async function resetPin(deps: IdentityDeps, form: PinResetForm): Promise<void> {
  refuseTrivialPin(form.newPin, 'newPin');
  if (!deps.codes.isLinkTokenOf(form.id, form.token)) throw codeRefused('expired');
  const outcome = await deps.hasher.admit(() => replacePin(deps, form));
  if (outcome !== 'done') throw codeRefused(outcome);
}

/** Whether this code may still reset the account: the account may have been blocked, or have lost the number. */
async function isStillFor(trx: Transaction, { user_id, sent_to }: OneTimeCodeRow): Promise<boolean> {
  const users = trx.selectFrom('users').selectAll().where('id', '=', user_id);
  const user = await users.forNoKeyUpdate().executeTakeFirst();
  return user !== undefined && canReset(user) && user.phone_e164 === sent_to;
}

async function replacePin(deps: IdentityDeps, form: PinResetForm) {
  const userId = await findOwnerOfOpenCode(deps.db, form.id, deps.now());
  if (!userId) return 'expired' as const;
  // Hashed before anything is locked: otherwise PIN checks of other users in one batch with this user's would wait for
  // it.
  const verifier = await deps.hasher.hash(userId, form.newPin);
  return deps.db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [userId]);
    return judge(deps, trx, { form, verifier });
  });
}

async function judge(
  deps: IdentityDeps,
  trx: Transaction,
  { form, verifier }: { form: PinResetForm; verifier: string },
) {
  const now = deps.now();
  const code = await findOpenCodeById(trx, form.id, now);
  if (code?.purpose !== 'reset_pin' || !(await isStillFor(trx, code))) return 'expired' as const;
  if (!(await judgeCode(trx, deps.codes, { code, entered: form.code, now }))) return 'wrong' as const;
  const { email } = await trx
    .updateTable('users')
    .set((update) => ({
      pin: verifier,
      pin_version: update('pin_version', '+', 1),
      pin_reset_at: now,
      updated_at: now,
    }))
    .where('id', '=', code.user_id)
    .returning('email')
    .executeTakeFirstOrThrow();
  await voidCodes(trx, code.user_id, now);
  await writeAccountAttempts(trx, code.user_id, NO_ATTEMPTS);
  await clearStrangerAttempts(trx, email);
  await trx.deleteFrom('devices').where('user_id', '=', code.user_id).execute();
  await trx.deleteFrom('sessions').where('user_id', '=', code.user_id).execute();
  await announceSessionsEnded(trx, { userId: code.user_id, reason: 'pin_changed' });
  await announcePinChanged(trx, { userId: code.user_id, how: 'reset', at: now.toISOString() });
  return 'done' as const;
}

/** Voids the user's other resets, which were requested from other places. */
async function voidCodes(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'reset_pin')
    .where('expires_at', '>', now)
    .execute();
}
