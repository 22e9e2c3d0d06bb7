import { encodeCaller, refuseIncomplete } from '@vuka/access/caller';
import type { User } from '@vuka/contracts/http/signed-in-user';
import { type SessionCheck, type SessionCheckResult, SessionCheckResults } from '@vuka/contracts/internal/identity';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { type Batcher, createBatcher } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { FastifyRequest } from 'fastify';
import { sessionTokenOf } from './cookies.ts';
import { createKnownSessions, type KnownSessions } from './known-sessions.ts';
import { isOpenWhile } from './sign-in-steps.ts';

/** A signed-in person, and their encoded form for other services. */
export interface Signed {
  user: User;
  sessionToken: string;
  /** Encoded, for calls to other services. */
  caller: string;
}

export interface Sessions {
  /**
   * The person who makes this request. A given PIN is checked in the same call. Throws 401, 403 and 429 as the API
   * describes.
   */
  require(request: FastifyRequest, pin?: string): Promise<Signed>;
  requireAdmin(request: FastifyRequest, pin?: string): Promise<Signed>;
  /**
   * Like `require`, for requests that a page makes on its own: does not keep the session alive, and always asks
   * identity.
   */
  requireInBackground(request: FastifyRequest): Promise<Signed>;
  /** Whether the session is still valid, without keeping it alive. */
  stands(sessionToken: string): Promise<boolean>;
  /** Notes that a session was opened, so that the first requests of its page do not count for their address. */
  opened(sessionToken: string): void;
  /** Notes that a session has ended: its requests count for their address. */
  ended(sessionToken: string): void;
  /**
   * A key of a session that identity has confirmed to this process, for counting only: it may have been ended elsewhere. An
   * invented cookie was never confirmed, and has none.
   */
  knownSessionOf(request: FastifyRequest): string | undefined;
  /** The time left to the session of an admitted request, if it stays idle. */
  endsInSeconds(request: FastifyRequest): number | undefined;
}

/** Marks requests that no person made, such as background polls; they do not keep the session alive. */
const BACKGROUND_HEADER = 'x-vuka-background';

/** The pages of a new session check it within seconds. */
const OPENED_FOR_MS = 60_000;

/** Per lane. One call checks several hundred. */
const MAX_WAITING = 1_000;
/**
 * Orders that arrive within this time are batched together through every later service: a single order costs twice
 * the processor time of one among ten. At half of the machine's capacity this pause is most of their waiting time.
 */
const PIN_CHECKS_PACE_MS = 25;

export function createSessions(deps: { identity: ServiceClient }): Sessions {
  const known = createKnownSessions();
  const ask = createChecks(deps.identity, known);

  const endings = new WeakMap<FastifyRequest, number>();

  async function check(request: FastifyRequest, keepAlive: boolean, pin?: string): Promise<Signed> {
    const token = sessionTokenOf(request);
    if (!token) throw new AppError(request.headers.authorization ? 'session_missing' : 'not_signed_in');
    const result = await ask({ token, keepAlive, ...(pin === undefined ? {} : { pin }) });
    if (!result.ok) throw refusal(result);
    const { user } = result;
    const factor = user.secondFactor ?? 'none';
    if (!isOpenWhile(factor, request.routeOptions.url)) refuseIncomplete(factor);
    endings.set(request, result.endsInSeconds);
    const caller = encodeCaller({
      userId: user.id,
      isAdmin: user.isAdmin,
      adminId: user.adminId,
      merchantId: user.merchantData?.merchantId ?? null,
      name: user.fullName,
      phone: user.phone,
      pinVerified: pin !== undefined,
      pinRecent: result.pinRecent,
      tier: result.tier,
      isOnlyAdmin: result.isOnlyAdmin,
      role: user.adminRole ?? null,
      factor,
      factorRecent: result.factorRecent,
      requestId: request.id,
      address: request.ip,
    });
    return { user, sessionToken: token, caller };
  }

  /** Guards and handlers ask about one request several times; identity is asked once. A PIN is checked every time. */
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
      if (!signed.user.isAdmin) throw new AppError('not_an_administrator');
      return signed;
    },
    async stands(token) {
      return (await ask({ token, keepAlive: false })).ok;
    },
    opened: (token) => known.note(token, OPENED_FOR_MS),
    ended: (token) => known.forget(token),
    knownSessionOf(request) {
      const token = sessionTokenOf(request);
      return token && known.keyOf(token);
    },
  };
}

/** Checks sessions in batches, and notes what was confirmed. */
function createChecks(identity: ServiceClient, known: KnownSessions) {
  const lane = (paceMs: number): Batcher<SessionCheck, SessionCheckResult> =>
    createBatcher({
      paceMs,
      concurrency: 2,
      maxQueue: MAX_WAITING,
      async run(items) {
        const path = '/internal/sessions/check-batch';
        // Safe to repeat: a wrong PIN whose answer was lost counts twice, which errs on the strict side.
        const answer = await identity.post(path, { items }, SessionCheckResults, { idempotent: true });
        return answer.results;
      },
    });
  // Checking a PIN locks its user's row: checks without a PIN do not wait behind that.
  const [checks, pinChecks] = [lane(0), lane(PIN_CHECKS_PACE_MS)];
  return async (check: SessionCheck): Promise<SessionCheckResult> => {
    const result = await (check.pin === undefined ? checks : pinChecks).submit(check);
    if (result.ok) known.note(check.token, result.endsInSeconds * 1_000);
    else if (result.code === 'unauthenticated') known.forget(check.token);
    return result;
  };
}

/** Tells a page when its session ends, so that it can warn the user. */
export function tellSessionEnd(app: HttpApp, sessions: Sessions): void {
  app.addHook('onSend', async (request, reply) => {
    const seconds = sessions.endsInSeconds(request);
    if (seconds !== undefined) reply.header('x-vuka-session-ends-in', seconds);
  });
}

function refusal(result: Extract<SessionCheckResult, { ok: false }>): AppError {
  switch (result.code) {
    case 'unauthenticated':
      return new AppError('not_signed_in');
    case 'invalid_pin':
      return new AppError('invalid_pin', { details: { attemptsLeft: result.attemptsLeft ?? 0 } });
    case 'account_blocked':
      return new AppError('account_blocked');
    case 'too_many_attempts': {
      const retryAfterSeconds = result.retryAfterSeconds ?? 900;
      const minutes = Math.ceil(retryAfterSeconds / 60);
      return new AppError('pin_locked', { params: { minutes }, retryAfterSeconds });
    }
    case 'unavailable':
      return unavailable();
  }
}
