import { randomBytes } from 'node:crypto';
import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { CodeSent } from '@vuka/contracts/http/contact-verification';
import type { AccountClosing } from '@vuka/contracts/internal/account-closing';
import { ACCOUNT_CLOSED, type AccountClosed } from '@vuka/contracts/messages/identity';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { findOpenCode, issueCode, judgeCode } from '#codes/code.store.ts';
import type { Transaction } from '#db/schema.ts';
import type { IdentityDeps } from '#deps.ts';
import { announceSessionsEnded } from '#sessions/session.store.ts';
import { announce } from '#users/announce.ts';
import { findUser, lockPinChecks, selectUsers, type UserRecord } from '#users/user.store.ts';
import { codeRefused } from '#verification/verify-contact.ts';
import { erasePerson } from './erase-person.ts';

/** Sends the code that closes an account to its verified number. Throws validation_failed and rate_limited. */
export async function sendClosingCode(deps: IdentityDeps, userId: string): Promise<CodeSent> {
  const user = await findUser(deps.db, userId);
  if (!user) throw new AppError('not_signed_in');
  const sentTo = verifiedPhoneOf(user);
  if (!sentTo) throw new AppError('phone_not_reachable');
  const request = { userId, purpose: 'close_account' as const, sentTo };
  const code = await deps.db.transaction().execute((trx) => issueCode(trx, request, deps.now()));
  const expiresAt = code.expires_at.toISOString();
  return { sentTo, expiresAt, ...(deps.showCodes ? { demoCode: deps.codes.digitsOf(code.id) } : {}) };
}

/**
 * Closes an account for good, in one commit with the event by which the other services erase their part. The caller has
 * ensured that the account has no money and receives none until `before`. A repeat changes nothing. Throws
 * validation_failed for a wrong or missing code, forbidden for an administrator's account, and unavailable after
 * `before`.
 */
export async function closeAccount(deps: IdentityDeps, closing: AccountClosing, caller: Caller): Promise<void> {
  // A verifier of random bytes that are not kept, so that no PIN opens the account again.
  const verifier = await deps.hasher.admit(() =>
    deps.hasher.hash(closing.userId, randomBytes(32).toString('base64url')),
  );
  const outcome = await deps.db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [closing.userId]);
    const user = await selectUsers(trx).where('users.id', '=', closing.userId).forUpdate('users').executeTakeFirst();
    if (!user) throw new AppError('merchant_not_found');
    if (user.closed_at) return 'done' as const;
    if (user.is_admin) throw new AppError('account_of_administrator');
    const now = deps.now();
    if (now >= new Date(closing.before)) throw unavailable('the account may have resumed');
    const judged = await judgeClosing(deps, trx, { user, closing, caller, now });
    if (judged !== 'done') return judged;
    await erasePerson(trx, { user, verifier, now });
    await announceSessionsEnded(trx, { userId: user.id, reason: 'signed_out' });
    await announceClosed(trx, { userId: user.id, at: now.toISOString() });
    if (caller.userId !== user.id) await recordClosing(trx, { user, caller, reason: closing.reason, now });
    return 'done' as const;
  });
  if (outcome !== 'done') throw codeRefused(outcome);
}

interface Judged {
  user: UserRecord;
  closing: AccountClosing;
  caller: Caller;
  now: Date;
}

/** A merchant with a verified number gives the code that was sent there. */
async function judgeClosing(deps: IdentityDeps, trx: Transaction, { user, closing, caller, now }: Judged) {
  if (caller.userId !== user.id || !verifiedPhoneOf(user)) return 'done' as const;
  if (!closing.code) return 'wrong' as const;
  const code = await findOpenCode(trx, { userId: user.id, purpose: 'close_account', now });
  if (!code) return 'expired' as const;
  const isRight = await judgeCode(trx, deps.codes, { code, entered: closing.code, now });
  return isRight ? ('done' as const) : ('wrong' as const);
}

const verifiedPhoneOf = (user: UserRecord) => (user.phone_verified_at ? user.phone_e164 : null);

const announceClosed = (trx: Transaction, closed: AccountClosed): Promise<void> =>
  announce(trx, ACCOUNT_CLOSED, closed);

/** Records the closing, without the person's name, which is being erased. */
function recordClosing(
  trx: Transaction,
  { user, caller, reason, now }: { user: UserRecord; caller: Caller; reason: string | undefined; now: Date },
): Promise<void> {
  const subject = { kind: 'user' as const, id: user.id, ...(user.merchant_id ? { label: user.merchant_id } : {}) };
  const action = {
    source: '/vuka/identity',
    caller,
    action: 'user.closed' as const,
    subject,
    ...(reason ? { reason } : {}),
  };
  return recordAction(trx, action, now);
}
