import type { Transaction } from '#db/schema.ts';
import { writeAccountAttempts } from '#pins/account-attempts.store.ts';
import { NO_ATTEMPTS } from '#pins/pin-lock.domain.ts';
import { clearStrangerAttempts } from '#pins/stranger-attempts.store.ts';
import type { UserRecord } from '#users/user.store.ts';

/** The name in payments and lists from now on. */
const CLOSED_NAME = 'Closed account';

/** Tables from which all rows of the user are deleted. Deleting `sessions` also deletes their challenges. */
const OF_USER = [
  'sessions',
  'devices',
  'saved_recipients',
  'one_time_codes',
  'second_factors',
  'factor_attempts',
  'unlock_requests',
  'first_answers',
] as const;

/**
 * Removes the person from an account. The row stays, without name, contacts and PIN, because payments reference its id.
 * The email can be registered again, and the number can be verified by its new holder.
 */
export async function erasePerson(
  trx: Transaction,
  { user, verifier, now }: { user: UserRecord; verifier: string; now: Date },
): Promise<void> {
  for (const table of OF_USER) await trx.deleteFrom(table).where('user_id', '=', user.id).execute();
  await clearStrangerAttempts(trx, user.email);
  await writeAccountAttempts(trx, user.id, NO_ATTEMPTS);
  const placeholder = `closed-${user.id}@closed.invalid`;
  await trx
    .updateTable('users')
    .set((update) => ({
      username: placeholder,
      email: placeholder,
      full_name: CLOSED_NAME,
      phone: '',
      phone_e164: null,
      phone_verified_at: null,
      email_verified_at: null,
      pin: verifier,
      pin_version: update('pin_version', '+', 1),
      pin_reset_at: null,
      is_active: false,
      is_blocked: false,
      is_business: false,
      closed_at: now,
      updated_at: now,
    }))
    .where('id', '=', user.id)
    .execute();
}
