import { CODE_ISSUED, type CodeIssued } from '@vuka/contracts/messages/identity';
import { addressBlockOf } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import { sql } from 'kysely';
import type { Db, OneTimeCodeRow, Purpose, Transaction } from '#db/schema.ts';
import { announce } from '#users/announce.ts';
import { CODE_LIFE_MS, MOST_WRONG_CODES, type OneTimeCodes } from './one-time-codes.ts';

const HOUR_MS = 3_600_000;
/** Between two messages to the same person for the same purpose. */
const RESEND_AFTER_MS = 60_000;
/** Per day: for one account and purpose. */
const MOST_PER_DAY = 6;
/**
 * Per day, whichever accounts ask. Higher than for one account: otherwise another account that claims the number could keep
 * its owner from verifying it.
 */
const MOST_TO_A_NUMBER = 18;
const OWN_DEVICE = 'own device';
/**
 * PIN resets of an account per day that none of its devices requested: from one network, and from all networks. They
 * are counted separately: otherwise anyone who knows the email could use up the owner's six. Each reset costs an SMS.
 */
const MOST_FOR_A_NETWORK = 2;
const MOST_FOR_STRANGERS = 12;
/**
 * Codes that are sent only to a number that its account has verified. They and the codes for strangers who claim the number
 * do not count against each other: otherwise a few new accounts could keep a merchant from replacing the PIN.
 */
const OF_VERIFIED_NUMBERS: readonly Purpose[] = ['reset_pin', 'close_account'];
const KEPT_MS = 30 * 24 * HOUR_MS;

interface CodeRequest {
  userId: string;
  purpose: Purpose;
  sentTo: string;
  /** See `askedFrom`; for resets only. */
  askedFrom?: string;
  /** A new one unless given. */
  id?: string;
}

/**
 * Issues a code and publishes it, so that it is sent after the commit. Earlier codes for the same purpose become void;
 * those of a reset only if they were requested from the same place. Throws rate_limited when codes are requested too
 * often, and not_signed_in if the account was closed meanwhile.
 */
export async function issueCode(trx: Transaction, request: CodeRequest, now: Date): Promise<OneTimeCodeRow> {
  const { userId, purpose, sentTo, askedFrom = '', id = uuidv7() } = request;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${sentTo}`}, 0))`.execute(trx);
  await lockOpenAccount(trx, userId);
  await refuseFrequent(trx, request, now);
  await trx
    .updateTable('one_time_codes')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('asked_from', '=', askedFrom)
    .where('expires_at', '>', now)
    .execute();
  const code = await trx
    .insertInto('one_time_codes')
    .values({
      id,
      user_id: userId,
      purpose,
      asked_from: askedFrom,
      sent_to: sentTo,
      created_at: now,
      expires_at: new Date(now.getTime() + CODE_LIFE_MS),
      used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await announce<CodeIssued>(trx, CODE_ISSUED, { codeId: code.id, userId, purpose, at: now.toISOString() });
  return code;
}

/**
 * Locks the account before its codes, in the order of a closing, which erases them. Updates of the row do not wait for
 * this lock.
 */
async function lockOpenAccount(trx: Transaction, userId: string): Promise<void> {
  const users = trx.selectFrom('users').select('id').where('id', '=', userId).where('closed_at', 'is', null);
  if (!(await users.forKeyShare().executeTakeFirst())) throw new AppError('not_signed_in');
}

async function refuseFrequent(
  trx: Transaction,
  { userId, purpose, sentTo, askedFrom = '' }: CodeRequest,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - 24 * HOUR_MS);
  const recent = await trx
    .selectFrom('one_time_codes')
    .select(['user_id', 'purpose', 'created_at', 'asked_from'])
    .where('created_at', '>', since)
    .where((where) => where.or([where('sent_to', '=', sentTo), where.and({ user_id: userId, purpose })]))
    .orderBy('created_at')
    .execute();
  const own = recent.filter((code) => code.user_id === userId && code.purpose === purpose);
  const ofPlace = own.filter((code) => code.asked_from === askedFrom);
  const last = ofPlace.at(-1);
  const waitMs = last ? last.created_at.getTime() + RESEND_AFTER_MS - now.getTime() : 0;
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
  const isStranger = askedFrom !== '' && askedFrom !== OWN_DEVICE;
  const strangers = own.filter((code) => code.asked_from !== '' && code.asked_from !== OWN_DEVICE);
  const ofClaims = recent.filter((code) => !OF_VERIFIED_NUMBERS.includes(code.purpose));
  const shares = [
    { codes: ofPlace, most: isStranger ? MOST_FOR_A_NETWORK : MOST_PER_DAY },
    { codes: isStranger ? strangers : [], most: MOST_FOR_STRANGERS },
    { codes: OF_VERIFIED_NUMBERS.includes(purpose) ? [] : ofClaims, most: MOST_TO_A_NUMBER },
  ];
  const full = shares.find(({ codes, most }) => codes.length >= most);
  const first = full?.codes.at(-full.most);
  if (first) throw tooMany(Math.ceil((first.created_at.getTime() + 24 * HOUR_MS - now.getTime()) / 1_000));
}

/** Where a reset was requested: on a device of the account, or in a network that anyone may use. */
export function askedFrom(isOwnDevice: boolean, address: string): string {
  return isOwnDevice ? OWN_DEVICE : `network ${addressBlockOf(address)}`;
}

function tooMany(retryAfterSeconds: number): AppError {
  return new AppError('codes_too_many', { retryAfterSeconds });
}

/**
 * Judges an entered code and records the attempt before the answer. Returns whether it is right; a right code becomes
 * void. Commit in both cases.
 */
export async function judgeCode(
  trx: Transaction,
  codes: OneTimeCodes,
  { code, entered, now }: { code: OneTimeCodeRow; entered: string; now: Date },
): Promise<boolean> {
  const isRight = codes.areDigitsOf(code.id, entered);
  await trx
    .updateTable('one_time_codes')
    .set(isRight ? { used_at: now } : { wrong_attempts: code.wrong_attempts + 1 })
    .where('id', '=', code.id)
    .execute();
  return isRight;
}

/** The newest code of a user that can still be entered, locked until the transaction ends. */
export function findOpenCode(
  trx: Transaction,
  { userId, purpose, now }: { userId: string; purpose: Purpose; now: Date },
): Promise<OneTimeCodeRow | undefined> {
  return openCodes(trx, now)
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst();
}

/** A code that can still be entered, locked until the transaction ends. */
export function findOpenCodeById(trx: Transaction, id: string, now: Date): Promise<OneTimeCodeRow | undefined> {
  return openCodes(trx, now).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Whose code it is, if it can still be entered. Locks nothing. */
export async function findOwnerOfOpenCode(db: Db, id: string, now: Date): Promise<string | undefined> {
  return (await openCodes(db, now).where('id', '=', id).executeTakeFirst())?.user_id;
}

function openCodes(db: Db | Transaction, now: Date) {
  return db
    .selectFrom('one_time_codes')
    .selectAll()
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .where('wrong_attempts', '<', MOST_WRONG_CODES)
    .orderBy('id', 'desc');
}

/** The daily limits need a day; the codes are kept longer to answer questions about them. */
export async function pruneCodes(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('one_time_codes')
    .where('created_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute();
}
