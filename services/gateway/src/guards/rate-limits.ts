import type { RateLimitOptions } from '@fastify/rate-limit';
import rateLimit from '@fastify/rate-limit';
import { ADDRESS_BLOCK_BITS } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';

const EXPORTS_PER_HOUR = 5;
const PIN_CHANGES_PER_DAY = 10;
const HOUR_MS = 3_600_000;
const PER_MINUTE = { signIn: 60, verify: 60, statements: 20, anything: 1_200, transfersOfUser: 30, holdersOfUser: 20 };

/** The most client addresses that are counted; beyond, the one seen longest ago is forgotten. */
const MOST_ADDRESSES = 50_000;

interface AddressLimit {
  rateLimit: RateLimitOptions & { cache: number };
}

export interface RateLimits {
  /** For each of sign-in, registration and the codes, by address. */
  signIn: AddressLimit;
  /** For public receipt checks, and for each form of statements, which cost more than other reads; by address. */
  verify: AddressLimit;
  statements: AddressLimit;
  /** For transfers, by user: throws rate_limited when no more are allowed. */
  allowTransfer(userId: string): void;
  /** For looking up who holds a number, by user, so that nobody lists our merchants: throws rate_limited. */
  allowHolderLookup(userId: string): void;
  /** For changes of the PIN, by user, per day: each costs two slow hashes and a text message. Throws rate_limited. */
  allowPinChange(userId: string): void;
  /** For a copy of all data, by the user who asks, per hour: throws rate_limited. */
  allowExport(userId: string): void;
}

/** Limits every route by client address. */
export async function addRateLimits(app: HttpApp, factor: number): Promise<RateLimits> {
  const limit = (perMinute: number) => Math.max(1, Math.round(perMinute * factor));
  await app.register(rateLimit, {
    max: limit(PER_MINUTE.anything),
    timeWindow: 60_000,
    cache: MOST_ADDRESSES,
    ipv6Subnet: ADDRESS_BLOCK_BITS,
    errorResponseBuilder: (_request, context) => rateLimited(Math.ceil(context.ttl / 1_000)),
  });
  /** Each route with this configuration counts for itself. */
  const byAddress = (perMinute: number) => ({
    rateLimit: { max: limit(perMinute), timeWindow: 60_000, cache: MOST_ADDRESSES },
  });
  const byUser = (max: number, windowMs = 60_000) => {
    const count = createWindowCounter(limit(max), windowMs);
    return (userId: string) => {
      const waitSeconds = count(userId);
      if (waitSeconds > 0) throw rateLimited(waitSeconds);
    };
  };
  return {
    signIn: byAddress(PER_MINUTE.signIn),
    verify: byAddress(PER_MINUTE.verify),
    statements: byAddress(PER_MINUTE.statements),
    allowTransfer: byUser(PER_MINUTE.transfersOfUser),
    allowHolderLookup: byUser(PER_MINUTE.holdersOfUser),
    allowPinChange: byUser(PIN_CHANGES_PER_DAY, 24 * HOUR_MS),
    allowExport: byUser(EXPORTS_PER_HOUR, HOUR_MS),
  };
}

/**
 * Counts per key and window; returns the seconds to wait, 0 if one more is allowed. All counts are reset together. By
 * a clock that never goes back.
 */
function createWindowCounter(max: number, windowMs: number) {
  let counts = new Map<string, number>();
  let endsAtMs = 0;
  return (key: string): number => {
    if (performance.now() >= endsAtMs) {
      counts = new Map();
      endsAtMs = performance.now() + windowMs;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > max ? Math.ceil((endsAtMs - performance.now()) / 1_000) : 0;
  };
}

export function rateLimited(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', { retryAfterSeconds });
}
