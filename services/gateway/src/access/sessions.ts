import type { User } from '@vuka/contracts/http/users';
import { type SessionCheck, type SessionCheckResult, SessionCheckResults } from '@vuka/contracts/internal/identity';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { type Batcher, createBatcher } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'vuka_session';

/** A signed-in person, and the token by which inner services know them. */
export interface Signed {
  user: User;
  sessionToken: string;
  callerToken: string;
}

export interface Sessions {
  /** Who makes this request. With a PIN it is checked in the same call. Throws as api.md says of 401, 403 and 429. */
  require(request: FastifyRequest, pin?: string): Promise<Signed>;
  requireAdmin(request: FastifyRequest, pin?: string): Promise<Signed>;
  /**
   * As `require`, for what a page opens by itself: it does not keep the session alive, and identity is asked each time.
   */
  requireInBackground(request: FastifyRequest): Promise<Signed>;
  /** Whether the session still stands, without keeping it alive. */
  stands(sessionToken: string): Promise<boolean>;
  /** The time left to the session of a request that was let in, if nobody uses it. */
  endsInSeconds(request: FastifyRequest): number | undefined;
}

/** A request that no person made, such as a poll in the background, says so and does not keep the session alive. */
const BACKGROUND_HEADER = 'x-vuka-background';

/** Of each kind. Some hundred are checked in one call. */
const MAX_WAITING = 1_000;
/**
 * Orders that come closer together than this go on together, through every service after this door: an order alone costs
 * twice the processor of one among ten, and at half of what the machine can do that is what they wait for.
 */
const PIN_CHECKS_PACE_MS = 25;

export function createSessions(deps: { identity: ServiceClient; tokens: InternalTokens }): Sessions {
  const lane = (paceMs: number): Batcher<SessionCheck, SessionCheckResult> =>
    createBatcher({
      paceMs,
      concurrency: 2,
      maxQueue: MAX_WAITING,
      async run(items) {
        const answer = await deps.identity.post('/internal/sessions/check-batch', { items }, SessionCheckResults);
        return answer.results;
      },
    });
  // Judging a PIN locks its user: what is only read does not wait behind that.
  const [checks, pinChecks] = [lane(0), lane(PIN_CHECKS_PACE_MS)];

  const endings = new WeakMap<FastifyRequest, number>();

  async function check(request: FastifyRequest, keepAlive: boolean, pin?: string): Promise<Signed> {
    const token = sessionTokenOf(request);
    if (!token) throw new AppError('unauthenticated', 'Please sign in.');
    const result =
      pin === undefined ? await checks.submit({ token, keepAlive }) : await pinChecks.submit({ token, keepAlive, pin });
    if (!result.ok) throw refusal(result);
    const { user } = result;
    endings.set(request, result.endsInSeconds);
    const callerToken = deps.tokens.signCaller({
      userId: user.id,
      isAdmin: user.isAdmin,
      adminId: user.adminId,
      merchantId: user.merchantData?.merchantId ?? null,
      name: user.fullName,
      phone: user.phone,
      pinVerified: pin !== undefined,
      pinRecent: result.pinRecent,
      isOnlyAdmin: result.isOnlyAdmin,
      requestId: request.id,
      address: request.ip,
    });
    return { user, sessionToken: token, callerToken };
  }

  /** Guards and handlers ask of one request more than once; identity is asked once. A PIN is judged each time. */
  const checked = new WeakMap<FastifyRequest, Promise<Signed>>();

  function requireSession(request: FastifyRequest, pin?: string): Promise<Signed> {
    const isUse = request.headers[BACKGROUND_HEADER] === undefined;
    if (pin !== undefined) return check(request, isUse, pin);
    const signed = checked.get(request) ?? check(request, isUse);
    checked.set(request, signed);
    return signed;
  }

  return {
    require: requireSession,
    requireInBackground: (request) => check(request, false),
    endsInSeconds: (request) => endings.get(request),
    async requireAdmin(request, pin) {
      const signed = await requireSession(request, pin);
      if (!signed.user.isAdmin) throw new AppError('forbidden', 'Only administrators may do this.');
      return signed;
    },
    async stands(token) {
      return (await checks.submit({ token, keepAlive: false })).ok;
    },
  };
}

/** Lets a page know when its session ends, so that it can warn the person in front of it. */
export function tellSessionEnd(app: HttpApp, sessions: Sessions): void {
  app.addHook('onSend', async (request, reply) => {
    const seconds = sessions.endsInSeconds(request);
    if (seconds !== undefined) reply.header('x-vuka-session-ends-in', seconds);
  });
}

export function sessionTokenOf(request: FastifyRequest): string | undefined {
  const token = request.cookies[SESSION_COOKIE];
  return token && token.length <= 100 ? token : undefined;
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(SESSION_COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https',
  });
}

function refusal(result: Extract<SessionCheckResult, { ok: false }>): AppError {
  switch (result.code) {
    case 'unauthenticated':
      return new AppError('unauthenticated', 'Please sign in.');
    case 'invalid_pin':
      return new AppError('invalid_pin', 'Invalid PIN', { details: { attemptsLeft: result.attemptsLeft ?? 0 } });
    case 'account_blocked':
      return new AppError('account_blocked', 'Your account is blocked. Please contact support.');
    case 'too_many_attempts': {
      const retryAfterSeconds = result.retryAfterSeconds ?? 900;
      const minutes = Math.ceil(retryAfterSeconds / 60);
      return new AppError('too_many_attempts', `Too many wrong PINs. Please try again in ${minutes} minutes.`, {
        retryAfterSeconds,
      });
    }
    case 'unavailable':
      return unavailable();
  }
}
