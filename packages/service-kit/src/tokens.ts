import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

const SERVICE_TOKEN_LIFE_MS = 120_000;

export interface InternalTokens {
  /** A token of this kind with this content, valid for `lifeMs`. */
  sign(kind: string, content: Record<string, unknown>, lifeMs: number): string;
  /** A token's content, or undefined when it is forged, expired, malformed or of another kind. */
  open(kind: string, token: string): Record<string, unknown> | undefined;
  signService(service: string): string;
  /** The calling service's name, or undefined. */
  verifyService(token: string): string | undefined;
}

/**
 * Tokens that services give each other, such as the one that identifies the calling service:
 * `<kind>.<payload>.<HMAC-SHA256>`. The key is a KeyObject, since a Buffer as an HMAC key costs five times as much on
 * Node 24.
 */
export function createInternalTokens(secret: string, now: () => number = Date.now): InternalTokens {
  const key = createSecretKey(Buffer.from(secret));
  const cached = new Map<string, { token: string; renewAtMs: number }>();

  function sign(kind: string, content: Record<string, unknown>, lifeMs: number) {
    const payload = Buffer.from(JSON.stringify({ ...content, exp: now() + lifeMs })).toString('base64url');
    return `${kind}.${payload}.${createHmac('sha256', key).update(`${kind}.${payload}`).digest('base64url')}`;
  }

  function open(kind: string, token: string): Record<string, unknown> | undefined {
    const [tokenKind, payload, signature] = token.split('.');
    if (tokenKind !== kind || !payload || !signature) return undefined;
    const expected = createHmac('sha256', key).update(`${kind}.${payload}`).digest();
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    return typeof content.exp === 'number' && content.exp > now() ? content : undefined;
  }

  return {
    sign,
    open,
    signService(service) {
      const known = cached.get(service);
      if (known && known.renewAtMs > now()) return known.token;
      const token = sign('service', { service }, SERVICE_TOKEN_LIFE_MS);
      cached.set(service, { token, renewAtMs: now() + SERVICE_TOKEN_LIFE_MS / 2 });
      return token;
    },
    verifyService(token) {
      const service = open('service', token)?.service;
      return typeof service === 'string' ? service : undefined;
    },
  };
}
