import { type Browser, SessionToken } from '@vuka/contracts/internal/identity';
import type { FastifyReply, FastifyRequest } from 'fastify';

const SESSION = 'vuka_session';
/** Identifies the browser, so that wrong PINs from elsewhere do not lock its user out. It opens nothing. */
const DEVICE = 'vuka_device';
/** The longest that browsers keep a cookie (RFC 6265bis, section 5.5). */
const DEVICE_SECONDS = 400 * 86_400;
const LONGEST_USER_AGENT = 300;

/**
 * The session token in the cookie; undefined if it is malformed. Identity must not see malformed tokens: it checks the
 * sessions of many requests at once, and one text that it cannot read makes it refuse them all.
 */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  return tokenOf(request, SESSION);
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(nameOf(SESSION, request), token, attributesOf(request));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(nameOf(SESSION, request), attributesOf(request));
}

export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, device: string): void {
  reply.setCookie(nameOf(DEVICE, request), device, { ...attributesOf(request), maxAge: DEVICE_SECONDS });
}

/** The token of the device in the cookie; undefined if it is malformed. */
export function deviceTokenOf(request: FastifyRequest): string | undefined {
  return tokenOf(request, DEVICE);
}

/** What identity learns about the browser of a sign-in. */
export function browserOf(request: FastifyRequest): Browser {
  const device = deviceTokenOf(request);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT);
  return { address: request.ip, userAgent, ...(device ? { device } : {}) };
}

/** Both cookies hold tokens of the same form. */
function tokenOf(request: FastifyRequest, name: string): string | undefined {
  const token = request.cookies[nameOf(name, request)];
  return SessionToken.safeParse(token).success ? token : undefined;
}

/** Behind TLS, the prefix lets browsers refuse a cookie that another host of the domain tries to set (RFC 6265bis). */
const nameOf = (name: string, request: FastifyRequest) => (request.protocol === 'https' ? `__Host-${name}` : name);

const attributesOf = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' }) as const;
