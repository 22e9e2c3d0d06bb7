import { AppError } from '@vuka/service-kit/app-error';
import type { ChallengePurpose, Db, Transaction } from '#db/schema.ts';
import { hashToken } from '#sessions/session.store.ts';

const LIFE_MS = 5 * 60_000;

interface Challenge {
  /** The session that asks. */
  token: string;
  purpose: ChallengePurpose;
}

/** Stores the challenge that the session has to answer; replaces an earlier one for the same purpose. */
export async function setChallenge(db: Db, { token, purpose }: Challenge, content: Buffer, now: Date): Promise<void> {
  const challenge = { content, expires_at: new Date(now.getTime() + LIFE_MS) };
  await db
    .insertInto('factor_challenges')
    .values({ session_hash: hashToken(token), purpose, ...challenge })
    .onConflict((conflict) => conflict.columns(['session_hash', 'purpose']).doUpdateSet(challenge))
    .execute();
}

/** Takes the session's challenge: it can be answered once, whether or not the answer is right. */
export async function takeChallenge(db: Db | Transaction, { token, purpose }: Challenge, now: Date): Promise<Buffer> {
  const taken = await db
    .deleteFrom('factor_challenges')
    .where('session_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .returning(['content', 'expires_at'])
    .executeTakeFirst();
  if (!taken || taken.expires_at <= now) throw new AppError('factor_challenge_expired');
  return taken.content;
}

/** Reads the secret of an app that is being added, without taking it: a mistyped code can be corrected. */
export async function findChallenge(db: Db, { token, purpose }: Challenge, now: Date): Promise<Buffer> {
  const found = await db
    .selectFrom('factor_challenges')
    .select('content')
    .where('session_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!found) throw new AppError('factor_challenge_expired');
  return found.content;
}
