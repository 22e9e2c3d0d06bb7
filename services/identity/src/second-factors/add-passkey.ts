import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Caller } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';
import type { SecondFactorRow } from '#db/schema.ts';
import type { IdentityDeps } from '#deps.ts';
import { findUser } from '#users/user.store.ts';
import { addFactor } from './add-factor.ts';
import { setChallenge, takeChallenge } from './challenge.store.ts';
import { listFactors } from './factor.store.ts';
import { passkeyAddress, type RelyingParty, relyingParty } from './relying-party.domain.ts';
import { webauthn, webauthnHelpers } from './webauthn.ts';

interface Asking {
  token: string;
  origin?: string | undefined;
}

/** Throws passkeys_need_a_name where the address of the page is an IP address. */
export function partyOf({ publicUrl }: Pick<IdentityDeps, 'publicUrl'>, origin: string | undefined): RelyingParty {
  const party = relyingParty(publicUrl, origin);
  if (!party) throw new AppError('passkeys_need_a_name', { params: { address: passkeyAddress(publicUrl) } });
  return party;
}

/** The options with which the browser calls `navigator.credentials.create`. */
export async function beginPasskey(deps: IdentityDeps, caller: Caller, { token, origin }: Asking) {
  const party = partyOf(deps, origin);
  const user = await findUser(deps.db, caller.userId);
  if (!user) throw new AppError('not_signed_in');
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Vuka',
    rpID: party.id,
    userName: user.email,
    userDisplayName: user.full_name,
    userID: new Uint8Array(Buffer.from(user.id)),
    attestationType: 'none',
    excludeCredentials: credentialsOf(await listFactors(deps.db, user.id)),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  await setChallenge(deps.db, { token, purpose: 'add-passkey' }, Buffer.from(options.challenge), deps.now());
  return { options: { ...options } };
}

/** Adds a passkey. Throws factor_wrong, factor_challenge_expired, passkey_known, factors_full. */
export async function addPasskey(
  deps: IdentityDeps,
  caller: Caller,
  { token, origin, name, credential }: Asking & { name: string; credential: object },
): Promise<SecondFactorRow> {
  const party = partyOf(deps, origin);
  const challenge = await takeChallenge(deps.db, { token, purpose: 'add-passkey' }, deps.now());
  const response = credential as RegistrationResponseJSON;
  await refuseCertificates(response).catch(asWrong);
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge.toString(),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(asWrong);
  if (!verified) throw new AppError('factor_wrong');
  const { id, publicKey, counter, transports } = registrationInfo.credential;
  const factor = {
    kind: 'passkey' as const,
    name,
    credential_id: id,
    public_key: Buffer.from(publicKey),
    signature_count: BigInt(counter),
    transports: transports ?? [],
  };
  return addFactor(deps, caller, { token, purpose: 'add-passkey', factor });
}

/**
 * Throws unless the attestation is empty, or signed with the passkey itself: browsers send no other, since none is asked
 * for. The library would fetch the lists of revoked certificates from addresses that the certificates of others name.
 */
async function refuseCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await webauthnHelpers();
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  const isOwn = format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
  if (!isOwn) throw new Error(`an attestation of the format ${format}, with certificates`);
}

/** The user's passkeys, as the browser selects among them. */
export function credentialsOf(factors: readonly SecondFactorRow[]) {
  return factors.flatMap(({ credential_id: id, transports }) => (id ? [{ id, transports: transports ?? [] }] : []));
}

/** The library throws for anything that does not match; the details would help only an attacker. */
export function asWrong(): never {
  throw new AppError('factor_wrong');
}
