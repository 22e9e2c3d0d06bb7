import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Caller } from '@vuka/access/caller';
import type { GivenFactor } from '@vuka/contracts/http/second-factors';
import { AppError } from '@vuka/service-kit/app-error';
import type { IdentityDeps } from '#deps.ts';
import { asWrong, credentialsOf, partyOf } from './add-passkey.ts';
import { setChallenge, takeChallenge } from './challenge.store.ts';
import { listFactors, noteFactorGiven } from './factor.store.ts';
import { forgetWrongCodes, reserveCode } from './factor-attempts.store.ts';
import { stepOfCode } from './totp-codes.ts';
import { webauthn } from './webauthn.ts';

interface Asking {
  token: string;
  origin?: string | undefined;
}

/** The options with which the browser calls `navigator.credentials.get`. */
export async function challengePasskey(deps: IdentityDeps, caller: Caller, { token, origin }: Asking) {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: partyOf(deps, origin).id,
    allowCredentials: credentialsOf(await listFactors(deps.db, caller.userId)),
    userVerification: 'required',
  });
  await setChallenge(deps.db, { token, purpose: 'give' }, Buffer.from(options.challenge), deps.now());
  return { options: { ...options } };
}

/**
 * Completes the sign-in of a session, or its step-up. Throws factor_wrong, factor_code_used, factor_challenge_expired,
 * factor_locked.
 */
export async function giveFactor(
  deps: IdentityDeps,
  caller: Caller,
  { given, ...asking }: Asking & { given: GivenFactor },
): Promise<void> {
  if ('code' in given) await giveCode(deps, caller, { ...asking, code: given.code });
  else await givePasskey(deps, caller, { ...asking, credential: given.credential });
}

async function giveCode(
  deps: IdentityDeps,
  { userId }: Caller,
  { token, code }: { token: string; code: string },
): Promise<void> {
  await reserveCode(deps, userId);
  const apps = (await listFactors(deps.db, userId)).filter(({ kind }) => kind === 'totp');
  const now = deps.now();
  const matches = apps.flatMap(({ id, sealed_secret: sealed }) => {
    const step = sealed && stepOfCode(deps.totpSealing.open(sealed, userId), code, now);
    return step ? [{ id, step: BigInt(step) }] : [];
  });
  const [match] = matches;
  if (!match) throw new AppError('factor_wrong');
  await deps.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('second_factors')
      .set({ last_step: match.step, last_used_at: now })
      .where('id', '=', match.id)
      .where('last_step', '<', match.step)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('factor_code_used');
    await forgetWrongCodes(trx, userId);
    await noteFactorGiven(trx, token, now);
  });
}

async function givePasskey(
  deps: IdentityDeps,
  { userId }: Caller,
  { token, origin, credential }: Asking & { credential: { id: string } },
): Promise<void> {
  const party = partyOf(deps, origin);
  const now = deps.now();
  const challenge = await takeChallenge(deps.db, { token, purpose: 'give' }, now);
  const passkey = (await listFactors(deps.db, userId)).find(({ credential_id }) => credential_id === credential.id);
  if (!passkey?.credential_id || !passkey.public_key) throw new AppError('factor_wrong');
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge.toString(),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.signature_count ?? 0n),
    },
  }).catch(asWrong);
  if (!verified) throw new AppError('factor_wrong');
  const count = BigInt(authenticationInfo.newCounter);
  await deps.db.transaction().execute(async (trx) => {
    // Checked again in the statement: of two concurrent signatures, one by a copied passkey has the same count.
    const { numUpdatedRows } = await trx
      .updateTable('second_factors')
      .set({ signature_count: count, last_used_at: now })
      .where('id', '=', passkey.id)
      .where((is) => (count === 0n ? is('signature_count', '=', 0n) : is('signature_count', '<', count)))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('factor_wrong');
    await noteFactorGiven(trx, token, now);
  });
}
