import type { SecondFactor } from '@vuka/contracts/http/second-factors';
import { AppError } from '@vuka/service-kit/app-error';
import { violatedUnique } from '@vuka/service-kit/database';
import type { Insertable } from 'kysely';
import type { Db, Schema, SecondFactorRow, Transaction } from '#db/schema.ts';
import { hashToken } from '#sessions/session.store.ts';

const MOST_FACTORS = 10;

export function listFactors(db: Db | Transaction, userId: string): Promise<SecondFactorRow[]> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();
}

/** Writes a new factor. Throws factors_full, and passkey_known for a credential of any account. */
export async function insertFactor(
  trx: Transaction,
  factor: Insertable<Schema['second_factors']>,
): Promise<SecondFactorRow> {
  const { length } = await listFactors(trx, factor.user_id);
  if (length >= MOST_FACTORS) throw new AppError('factors_full', { params: { max: MOST_FACTORS } });
  try {
    return await trx.insertInto('second_factors').values(factor).returningAll().executeTakeFirstOrThrow();
  } catch (error) {
    if (violatedUnique(error) === 'second_factors_credential_id_key') throw new AppError('passkey_known');
    throw error;
  }
}

/** The session has given its second factor: its sign-in is complete, and its step-up recent. */
export async function noteFactorGiven(trx: Transaction, token: string, now: Date): Promise<void> {
  await trx.updateTable('sessions').set({ factor_verified_at: now }).where('id_hash', '=', hashToken(token)).execute();
}

/** The public form of a factor, without what proves it. */
export function toSecondFactor(row: SecondFactorRow): SecondFactor {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    addedAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
