import { randomInt } from 'node:crypto';
import { isTrivialPin } from '@vuka/contracts/http/users';
import type { OpenedSession, Registration } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { violatedUnique } from '@vuka/service-kit/database';
import { uuidv7 } from '@vuka/service-kit/ids';
import { openSession } from '#sessions/session.store.ts';
import { toE164 } from '#users/phone.domain.ts';
import { findUser } from '#users/user.store.ts';
import { toUser } from '#users/user.view.ts';
import { rememberDevice } from './device.store.ts';
import type { SignInDeps } from './sign-in.ts';
import { refuseTaken } from './taken-emails.ts';

const MERCHANT_ID_TRIES = 5;

/**
 * Creates a merchant and signs them in. Throws email_taken, rate_limited after many taken addresses from one network,
 * and validation_failed for a PIN that is easy to guess.
 */
export async function register(deps: SignInDeps, form: Registration): Promise<OpenedSession> {
  refuseTrivialPin(form.pin, 'pin');
  await refuseTaken(deps, form.email, form.browser.address);
  const id = uuidv7();
  const verifier = await deps.hasher.admitRegistration(() => deps.hasher.hash(id, form.pin));
  for (let attempt = 1; ; attempt++) {
    try {
      return await insertMerchant(deps, { id, verifier, form });
    } catch (error) {
      const constraint = violatedUnique(error);
      // It was registered meanwhile.
      if (constraint === 'users_email' || constraint === 'users_username_key') {
        await refuseTaken(deps, form.email, form.browser.address);
        throw new AppError('email_taken');
      }
      if (constraint !== 'merchants_merchant_id_key' || attempt === MERCHANT_ID_TRIES) throw error;
    }
  }
}

export function refuseTrivialPin(pin: string, field: string): void {
  if (isTrivialPin(pin)) throw new AppError('pin_guessable', { field });
}

function insertMerchant(deps: SignInDeps, user: { id: string; verifier: string; form: Registration }) {
  const { id, verifier, form } = user;
  const email = form.email.toLowerCase();
  return deps.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('users')
      .values({
        id,
        username: email,
        pin: verifier,
        email,
        full_name: form.name,
        phone: form.phoneNumber,
        phone_e164: toE164(form.phoneNumber, form.country),
        default_currency: form.defaultCurrency,
        country: form.country,
        pin_locked_until: null,
      })
      .execute();
    await trx.insertInto('merchants').values({ id: uuidv7(), user_id: id, merchant_id: randomMerchantId() }).execute();
    const created = await findUser(trx, id);
    if (!created) throw new Error('the user just written is not found');
    const { deviceHash, ...cookie } = await rememberDevice(trx, id, form.browser, deps.now());
    const token = await openSession({ ...deps, db: trx }, created, { ...form, deviceHash });
    return { user: toUser(created), token, ...cookie };
  });
}

/** Four capital letters, four digits, four capital letters. */
function randomMerchantId(): string {
  const letters = () => Array.from({ length: 4 }, () => String.fromCharCode(65 + randomInt(26))).join('');
  return `${letters()}${randomInt(10_000).toString().padStart(4, '0')}${letters()}`;
}
