import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { privateKeyOf, publicKeyOf, publicTextOf } from './ed25519.ts';

/** The header of a call that carries its token. */
export const SERVICE_HEADER = 'x-vuka-service';

/** Proves to a service which service calls it. */
export interface ServiceTokens {
  /** A token that is valid at this service only. */
  tokenFor(service: string): Promise<string>;
  /** The service that made a token, or undefined if it is forged, expired, or made for another service. */
  verify(token: string): Promise<string | undefined>;
}

export interface ServiceKeys {
  /** The name of this service. */
  service: string;
  /** The seed of its private key: 32 bytes. */
  privateKey: Buffer;
  /** The public keys of each service (base64url): two while a key is being replaced. */
  publicKeys: ReadonlyMap<string, readonly string[]>;
  now?: () => number;
  /** A clock that never goes back. */
  nowMs?: () => number;
}

const LIFE_MS = 300_000;
const RENEWED_AFTER_MS = 60_000;
/** How far the clocks of two services may differ. */
const SKEW_MS = 240_000;
/** A larger difference between the two clocks means that the wall clock was set, not just adjusted. */
const STEP_MS = 1_000;
const ALGORITHM = 'EdDSA';
/** A few services call this one, each with a new token a minute. */
const MOST_VERIFIED = 100;

interface Issuer {
  service: string;
  untilMs: number;
}

/**
 * JSON Web Tokens (RFC 7519) signed with Ed25519 (RFC 8037). Each service has a key of its own and knows the others'
 * public keys, so a stolen key speaks for one service only. Signing and verifying take about 0.1 ms, so both are done
 * once per token, not once per call.
 */
export function createServiceTokens({
  service,
  privateKey,
  publicKeys,
  now = Date.now,
  nowMs = () => performance.now(),
}: ServiceKeys): ServiceTokens {
  const signingKey = privateKeyOf(privateKey);
  const ownId = publicTextOf(signingKey);
  const keys = new Map<string, { owner: string; key: KeyObject }>();
  for (const [owner, texts] of publicKeys) {
    for (const text of texts) {
      if (keys.has(text)) throw new Error(`the public key ${text} is listed twice`);
      keys.set(text, { owner, key: publicKeyOf(text) });
    }
  }
  if (keys.get(ownId)?.owner !== service) {
    throw new Error(`the public key of ${service}, ${ownId}, is not listed under its name`);
  }
  const issued = new Map<string, { token: Promise<string>; at: number; atMs: number }>();
  const verified = new Map<string, Issuer>();

  function sign(audience: string): Promise<string> {
    const nowS = Math.floor(now() / 1_000);
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, kid: ownId })
      .setIssuer(service)
      .setAudience(audience)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LIFE_MS / 1_000)
      .sign(signingKey);
  }

  /** The token's issuer and end. Throws a JOSEError if it is not valid here. */
  async function read(token: string): Promise<Issuer> {
    const keyOf = ({ kid = '' }) => {
      const found = keys.get(kid);
      if (!found) throw new errors.JWKSNoMatchingKey();
      return found.key;
    };
    const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
      audience: service,
      algorithms: [ALGORITHM],
      requiredClaims: ['iss', 'exp'],
      currentDate: new Date(now()),
      maxTokenAge: LIFE_MS / 1_000,
      clockTolerance: SKEW_MS / 1_000,
    });
    const owner = keys.get(protectedHeader.kid ?? '')?.owner ?? '';
    if (payload.iss !== owner) throw new errors.JWTInvalid('signed by the key of another service');
    return { service: owner, untilMs: nowMs() + (payload.exp ?? 0) * 1_000 + SKEW_MS - now() };
  }

  return {
    tokenFor(audience) {
      const last = issued.get(audience);
      const [at, atMs] = [now(), nowMs()];
      // If the clock was set, other services would see a token from the past or the future.
      const wasSet = last && Math.abs(at - last.at - (atMs - last.atMs)) > STEP_MS;
      if (last && !wasSet && atMs - last.atMs < RENEWED_AFTER_MS) return last.token;
      const token = sign(audience);
      issued.set(audience, { token, at, atMs });
      return token;
    },
    async verify(token) {
      const earlier = verified.get(token);
      if (earlier && earlier.untilMs > nowMs()) return earlier.service;
      try {
        const issuer = await read(token);
        if (verified.size >= MOST_VERIFIED) verified.clear();
        verified.set(token, issuer);
        return issuer.service;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
