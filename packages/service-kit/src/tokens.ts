import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';

/** The person a request is made for, as the gateway established. Carried in a signed token that lives 60 s. */
export const Caller = z.object({
  userId: z.string(),
  isAdmin: z.boolean(),
  adminId: z.nullable(z.string()),
  merchantId: z.nullable(z.string()),
  name: z.string(),
  phone: z.string(),
  /** The PIN was sent with this request, and was correct. */
  pinVerified: z.boolean(),
  /** The PIN was checked in this session within identity's recent-PIN window. */
  pinRecent: z._default(z.boolean(), false),
  /** The only administrator, blocked ones counted. */
  isOnlyAdmin: z._default(z.boolean(), false),
  requestId: z.string(),
  /** The network address that the request came from. */
  address: z.optional(z.string()),
});
export type Caller = z.infer<typeof Caller>;

const SERVICE_TOKEN_LIFE_MS = 120_000;
const CALLER_TOKEN_LIFE_MS = 60_000;

export interface InternalTokens {
  signCaller(caller: Caller): string;
  /** The caller, or undefined when the token is forged, expired or malformed. */
  verifyCaller(token: string): Caller | undefined;
  signService(service: string): string;
  /** The calling service's name, or undefined. */
  verifyService(token: string): string | undefined;
}

/**
 * Tokens that identify the calling service and the person it acts for: `<kind>.<payload>.<HMAC-SHA256>`. The key is a
 * KeyObject, since a Buffer as an HMAC key costs five times as much on Node 24.
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
    signCaller: (caller) => sign('caller', { caller }, CALLER_TOKEN_LIFE_MS),
    verifyCaller(token) {
      const result = Caller.safeParse(open('caller', token)?.caller);
      return result.success ? result.data : undefined;
    },
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
