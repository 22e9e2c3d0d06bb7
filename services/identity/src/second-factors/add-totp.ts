import { randomBytes } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';
import type { SecondFactorRow } from '#db/schema.ts';
import type { IdentityDeps } from '#deps.ts';
import { addFactor } from './add-factor.ts';
import { findChallenge, setChallenge } from './challenge.store.ts';
import { otpauthUri, toBase32 } from './totp.domain.ts';
import { stepOfCode } from './totp-codes.ts';

/** As long as an HMAC-SHA1 (RFC 4226, section 4). */
const SECRET_BYTES = 20;

/** Makes a secret for an authenticator app. It is only a factor once its code was entered. */
export async function beginTotp(deps: IdentityDeps, caller: Caller, token: string) {
  const { db, totpSealing, now } = deps;
  const secret = randomBytes(SECRET_BYTES);
  await setChallenge(db, { token, purpose: 'add-totp' }, totpSealing.seal(secret, caller.userId), now());
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  const shown = toBase32(secret);
  return { secret: shown, uri: otpauthUri({ secret: shown, account: email }) };
}

/** Adds the authenticator app whose code this is. Throws factor_wrong, factor_challenge_expired, factors_full. */
export async function addTotp(
  deps: IdentityDeps,
  caller: Caller,
  { token, name, code }: { token: string; name: string; code: string },
): Promise<SecondFactorRow> {
  const sealed = await findChallenge(deps.db, { token, purpose: 'add-totp' }, deps.now());
  const step = stepOfCode(deps.totpSealing.open(sealed, caller.userId), code, deps.now());
  if (step === undefined) throw new AppError('factor_wrong');
  const proof = { sealed_secret: sealed, last_step: BigInt(step) };
  return addFactor(deps, caller, { token, purpose: 'add-totp', factor: { kind: 'totp', name, ...proof } });
}
