import type { RateLimitOptions } from '@fastify/rate-limit';
import rateLimit from '@fastify/rate-limit';
import { addressBlockOf, networksOf } from '@vuka/service-kit/address-block';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import { deviceTokenOf } from './cookies.ts';
import { RequestCounts } from './request-counts.ts';

const EXPORTS_PER_HOUR = 5;
const PIN_CHANGES_PER_DAY = 10;
const HOUR_MS = 3_600_000;
/** A mobile network has many customers behind one address, and a trade fair registers them in an afternoon. */
const REGISTRATIONS_PER_HOUR = 600;
const PER_MINUTE = {
  signIn: 60,
  signInsOfNetwork: 600,
  /** On devices that the account knows. Few: otherwise some free accounts could use up the network's share. */
  knownSignInsOfAccount: 5,
  knownSignInsOfNetwork: 1_800,
  verify: 60,
  calls: 1_200,
  /** A page loads two dozen files. They cost little, and must not use up an address's calls. */
  files: 6_000,
  transfersOfUser: 30,
  quotesOfUser: 120,
  statementsOfUser: 40,
  holdersOfUser: 20,
  inquiriesOfUser: 30,
};

interface RouteLimit {
  rateLimit: RateLimitOptions;
}

export interface RateLimits {
  /** For each of registration and the codes, by address, signed in or not: accounts are free. */
  registrationOrCode: RouteLimit;
  /**
   * For signing in, by the device that the browser names, else by address: a stranger who uses up an address leaves its
   * known devices their sign-ins. Invented devices do not help: `allowSignIn` and identity's limits of wrong PINs count them.
   */
  signIn: RouteLimit;
  /** For public receipt checks, by address: they guess what others paid. */
  verify: RouteLimit;
  /** For transfers, by user: throws rate_limited when no more are allowed. */
  allowTransfer(userId: string): void;
  /**
   * For held prices, by user: each stores a row in the database of the money, and one more for its key. Throws
   * rate_limited.
   */
  allowQuote(userId: string): void;
  /** For statements and their files, which cost more than other reads, by user: throws rate_limited. */
  allowStatement(userId: string): void;
  /** For looking up who holds a number, by user, so that nobody lists our merchants: throws rate_limited. */
  allowHolderLookup(userId: string): void;
  /**
   * For all sign-ins of an address's networks: a browser can name any number of devices. `knownAccount` is the email of an
   * account that knows the device: its first few sign-ins have a share of their own, which strangers in the network cannot
   * use up. Further ones count like all others, so that a former device of the account cannot lock out its owner.
   * Throws rate_limited.
   */
  allowSignIn(address: string, knownAccount?: string): void;
  /**
   * For new accounts, by the address's networks, per hour: each costs a slow hash, and stays. Throws rate_limited. Only
   * those that were made are counted, by the returned function.
   */
  allowRegistration(address: string): () => void;
  /** For status calls to the provider, by administrator: throws rate_limited. */
  allowInquiry(userId: string): void;
  /** For changes of the PIN, by user, per day: each costs two slow hashes and a text message. Throws rate_limited. */
  allowPinChange(userId: string): void;
  /** For a copy of all data, by the user who asks, per hour: throws rate_limited. */
  allowExport(userId: string): void;
}

/**
 * Limits every route: by session where `knownSessionOf` names one, so that a stranger behind a shared address cannot use up
 * its customers' calls, else by client address. Not by user: whoever has stolen a session could use up the calls with which
 * its owner ends it.
 */
export async function addRateLimits(
  app: HttpApp,
  factor: number,
  knownSessionOf: (request: FastifyRequest) => string | undefined,
): Promise<RateLimits> {
  const limit = (perMinute: number) => Math.max(1, Math.round(perMinute * factor));
  await app.register(rateLimit, {
    max: (request) => limit(isOfApi(request) ? PER_MINUTE.calls : PER_MINUTE.files),
    timeWindow: 60_000,
    store: RequestCounts,
    keyGenerator: (request) => {
      const counted = knownSessionOf(request) ?? addressOf(request);
      return isOfApi(request) ? counted : `files ${counted}`;
    },
    errorResponseBuilder: (_request, context) => rateLimited(Math.ceil(context.ttl / 1_000)),
  });
  /** Each route with this configuration counts for itself; without a key of its own, by the one above. */
  const perRoute = (perMinute: number, keyGenerator?: (request: FastifyRequest) => string) => ({
    rateLimit: { max: limit(perMinute), timeWindow: 60_000, ...(keyGenerator && { keyGenerator }) },
  });
  const registrations = createWindowCounter(limit(REGISTRATIONS_PER_HOUR), HOUR_MS);
  const signIns = createWindowCounter(limit(PER_MINUTE.signInsOfNetwork), 60_000);
  const knownSignIns = createWindowCounter(limit(PER_MINUTE.knownSignInsOfNetwork), 60_000);
  const knownOfAccount = createWindowCounter(limit(PER_MINUTE.knownSignInsOfAccount), 60_000);
  const byUser = (max: number, windowMs = 60_000) => {
    const counter = createWindowCounter(limit(max), windowMs);
    return (userId: string) => {
      if (counter.isFull(userId)) throw counter.refusal();
      counter.count(userId);
    };
  };
  return {
    registrationOrCode: perRoute(PER_MINUTE.signIn, addressOf),
    signIn: perRoute(PER_MINUTE.signIn, deviceOrAddressOf),
    verify: perRoute(PER_MINUTE.verify, addressOf),
    allowTransfer: byUser(PER_MINUTE.transfersOfUser),
    allowQuote: byUser(PER_MINUTE.quotesOfUser),
    allowStatement: byUser(PER_MINUTE.statementsOfUser),
    allowHolderLookup: byUser(PER_MINUTE.holdersOfUser),
    allowSignIn(address, knownAccount) {
      const account = knownAccount?.toLowerCase();
      const hasShare = account !== undefined && !knownOfAccount.isFull(account) && !isFullFor(knownSignIns, address);
      if (hasShare) knownOfAccount.count(account);
      byNetworks(hasShare ? knownSignIns : signIns, address)();
    },
    allowRegistration: (address) => byNetworks(registrations, address),
    allowInquiry: byUser(PER_MINUTE.inquiriesOfUser),
    allowPinChange: byUser(PIN_CHANGES_PER_DAY, 24 * HOUR_MS),
    allowExport: byUser(EXPORTS_PER_HOUR, HOUR_MS),
  };
}

const addressOf = (request: FastifyRequest) => addressBlockOf(request.ip);

const deviceOrAddressOf = (request: FastifyRequest) => deviceTokenOf(request) ?? addressOf(request);

/**
 * By the matched route, not the raw address: `/%61pi/` matches the same one. Unknown addresses count as files of the web
 * app.
 */
const isOfApi = ({ routeOptions }: FastifyRequest) => routeOptions.url?.startsWith('/api/') ?? true;

interface WindowCounter {
  /** Whether the key has reached the limit, or `times` the limit. */
  isFull(key: string, times?: number): boolean;
  count(key: string): void;
  /** The error rate_limited, with the time until the counts are reset. */
  refusal(): AppError;
}

/** Counts per key and window. All counts are reset together. By a clock that never goes back. */
function createWindowCounter(max: number, windowMs: number): WindowCounter {
  let counts = new Map<string, number>();
  let endsAtMs = 0;
  const current = () => {
    if (performance.now() >= endsAtMs) {
      counts = new Map();
      endsAtMs = performance.now() + windowMs;
    }
    return counts;
  };
  return {
    isFull: (key, times = 1) => (current().get(key) ?? 0) >= max * times,
    count: (key) => void current().set(key, (counts.get(key) ?? 0) + 1),
    refusal: () => rateLimited(Math.ceil((endsAtMs - performance.now()) / 1_000)),
  };
}

/** Whether one of the address's networks is full. */
function isFullFor(counter: WindowCounter, address: string): boolean {
  return networksOf(addressBlockOf(address)).some(({ network, times }) => counter.isFull(network, times));
}

/** Throws rate_limited if one of the address's networks is full. Returns what counts one more for each of them. */
function byNetworks(counter: WindowCounter, address: string): () => void {
  if (isFullFor(counter, address)) throw counter.refusal();
  return () => {
    for (const { network } of networksOf(addressBlockOf(address))) counter.count(network);
  };
}

export function rateLimited(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', { retryAfterSeconds });
}
