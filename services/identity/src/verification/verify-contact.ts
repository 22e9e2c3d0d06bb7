import type { CodeSent, ContactVerification, VerificationChannel } from '@vuka/contracts/http/contact-verification';
import { PHONE_LOST, type PhoneLost } from '@vuka/contracts/messages/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { violatedUnique } from '@vuka/service-kit/database';
import { countRequest } from '#codes/address-block-limit.ts';
import { findOpenCode, issueCode, judgeCode } from '#codes/code.store.ts';
import type { Transaction } from '#db/schema.ts';
import type { IdentityDeps } from '#deps.ts';
import { inNetworkQueue } from '#pins/network-queue.ts';
import { announce } from '#users/announce.ts';
import { findUser, lockPinChecks, type UserRecord } from '#users/user.store.ts';

type Deps = Pick<IdentityDeps, 'db' | 'serial' | 'now' | 'codes' | 'showCodes'>;

const PURPOSES = { phone: 'verify_phone', email: 'verify_email' } as const;

export async function readVerification(deps: Deps, userId: string): Promise<ContactVerification> {
  const user = await getUser(deps, userId);
  return {
    phone: user.phone_e164 ? { value: user.phone_e164, isVerified: user.phone_verified_at !== null } : null,
    email: { value: user.email, isVerified: user.email_verified_at !== null },
  };
}

/**
 * Sends a code to the user's own number or address; `address` is the network address of the request. Throws
 * validation_failed and rate_limited.
 */
export async function sendVerificationCode(
  deps: Deps,
  { userId, channel, address }: { userId: string; channel: VerificationChannel; address: string | undefined },
): Promise<CodeSent> {
  const user = await getUser(deps, userId);
  const sentTo = channel === 'phone' ? user.phone_e164 : user.email;
  if (!sentTo) throw new AppError('phone_not_reachable');
  if (isVerified(user, channel)) throw new AppError('verified_already');
  const now = deps.now();
  const issue = async (trx: Transaction) => {
    if (channel === 'phone') await countRequest(trx, { what: 'number', address, now });
    return issueCode(trx, { userId, purpose: PURPOSES[channel], sentTo }, now);
  };
  const code = await inNetworkQueue(deps, address, () => deps.db.transaction().execute(issue));
  const expiresAt = code.expires_at.toISOString();
  return { sentTo, expiresAt, ...(deps.showCodes ? { demoCode: deps.codes.digitsOf(code.id) } : {}) };
}

/**
 * Verifies the number or address that the code was sent to. A number belongs to the account that proved it last: its
 * former holder loses it and is notified, unless that account is blocked. Throws validation_failed for a wrong or expired code.
 */
export async function confirmContact(
  deps: Deps,
  { userId, channel, entered }: { userId: string; channel: VerificationChannel; entered: string },
): Promise<void> {
  const now = deps.now();
  const outcome = await deps.db
    .transaction()
    .execute(async (trx) => {
      // Before the code is locked: a closing locks the account first, and then erases its codes.
      await lockPinChecks(trx, [userId]);
      const code = await findOpenCode(trx, { userId, purpose: PURPOSES[channel], now });
      if (!code) return 'expired' as const;
      if (!(await judgeCode(trx, deps.codes, { code, entered, now }))) return 'wrong' as const;
      if (channel === 'email') {
        await trx.updateTable('users').set({ email_verified_at: now }).where('id', '=', userId).execute();
        return 'done' as const;
      }
      return verifyPhone(trx, { userId, phone: code.sent_to, now });
    })
    .catch((error: unknown) => {
      // Two accounts verify the same number at the same time: the second tries again and takes it over.
      if (violatedUnique(error) === 'users_verified_phone') throw codeRefused('expired');
      throw error;
    });
  if (outcome !== 'done') throw codeRefused(outcome);
}

async function verifyPhone(trx: Transaction, { userId, phone, now }: { userId: string; phone: string; now: Date }) {
  const holder = await trx
    .selectFrom('users')
    .select(['id', 'is_blocked'])
    .where('phone_e164', '=', phone)
    .where('phone_verified_at', 'is not', null)
    .where('id', '!=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (holder?.is_blocked) return 'held' as const;
  if (holder) await takePhoneFrom(trx, holder.id, now);
  await trx
    .updateTable('users')
    .set({ phone_verified_at: now })
    .where('id', '=', userId)
    .where('phone_e164', '=', phone)
    .execute();
  return 'done' as const;
}

/** The former holder is notified: from now on the money that is sent to the number goes to someone else. */
async function takePhoneFrom(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx.updateTable('users').set({ phone_verified_at: null }).where('id', '=', userId).execute();
  await announce<PhoneLost>(trx, PHONE_LOST, { userId, at: now.toISOString() });
}

export function codeRefused(reason: 'expired' | 'wrong' | 'held'): AppError {
  const refusals = { wrong: 'code_wrong', expired: 'code_expired', held: 'phone_of_blocked_account' } as const;
  return new AppError(refusals[reason], { field: 'code' });
}

const isVerified = (user: UserRecord, channel: VerificationChannel) =>
  (channel === 'phone' ? user.phone_verified_at : user.email_verified_at) !== null;

async function getUser({ db }: Deps, userId: string): Promise<UserRecord> {
  const user = await findUser(db, userId);
  if (!user) throw new AppError('not_signed_in');
  return user;
}
