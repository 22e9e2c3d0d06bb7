import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { createBacklogGate } from '@vuka/service-kit/backlog-gate';
import { bisecting, createBatcher } from '@vuka/service-kit/batcher';
import type { Part } from '@vuka/service-kit/poll';
import type { Service } from '@vuka/service-kit/service';
import { createServiceClient, type ServiceClient } from '@vuka/service-kit/service-client';
import { createIdentityClient } from './clients/identity.client.ts';
import { createWalletClient } from './clients/wallet.client.ts';
import type { Config } from './config.ts';
import type { Db, QuoteRow, Schema, TransferRow } from './db/schema.ts';
import { createLimitCopy } from './limits/limit.store.ts';
import type { Insertion } from './limits/limits.domain.ts';
import { lookAtBacklog } from './orders/backlog.store.ts';
import { insertFairly } from './orders/insert-fairly.ts';
import { createBooks } from './payouts/books-epoch.ts';
import { countAnswers } from './payouts/count-answers.ts';
import {
  findPayoutsOf,
  findPayoutsWithTransfers,
  type PayoutOfTransfer,
  type PayoutOnRecord,
  recordCalls,
} from './payouts/payout.store.ts';
import type { PayoutProvider } from './payouts/payout-provider.ts';
import { createRefusalLog } from './payouts/refusal-log.ts';
import { createPricingCopy } from './pricing/pricing-copy.ts';
import { findQuotes, insertQuotes } from './quotes/quote.store.ts';
import { logSteps } from './saga/log-steps.ts';
import { createEndsObserver } from './saga/observe-ends.ts';
import { createOrdersAcceptedHere } from './saga/orders-accepted-here.ts';
import {
  type ClientKey,
  findByClientKeys,
  findTransfers,
  insertTransfersOnce,
  type NewTransfer,
} from './saga/transfer.store.ts';
import { commitTransitions, type Transition } from './saga/transition.store.ts';

/** A fast provider's callback arrives within this time and makes the note unnecessary. */
const NOTES_PACE_MS = 500;

/**
 * How long an order waits for an unreachable wallet: less than the delay that the gateway takes for overload. The order
 * is then accepted, and the worker holds the money.
 */
const WALLET_PATIENCE_MS = 800;

interface Clocks {
  now?: () => Date;
  /** Never goes back; measures how old something in memory is. */
  nowMs?: () => number;
}

/** Dependencies shared by the API and the worker. */
export function buildDeps(
  service: Service<Schema>,
  settings: Config,
  provider: PayoutProvider,
  { now = () => new Date(), nowMs = () => performance.now() }: Clocks = {},
) {
  const { db, tokens, logger, metrics, kickRelay, publishCommitted } = service;
  const client = (to: string, baseUrl: string, options: { patienceMs?: number } = {}) =>
    createServiceClient({ baseUrl, to, tokens, ...options });
  const clients = {
    wallet: client('wallet', settings.WALLET_URL, { patienceMs: WALLET_PATIENCE_MS }),
    rates: client('rates', settings.RATES_URL),
    identity: client('identity', settings.IDENTITY_URL),
  };
  const notice = noticing(service);
  const commitSteps = bisecting(async (steps: Transition[]) => {
    const { done, pack } = await commitTransitions(db, steps);
    publishCommitted(pack);
    notice(steps.filter((_, index) => done[index]));
    return done;
  });
  return {
    db,
    logger,
    now,
    provider: countAnswers(provider, metrics),
    books: createBooks({ db, logger }),
    refusals: createRefusalLog(logger),
    wallet: createWalletClient(clients.wallet),
    identity: createIdentityClient(clients.identity),
    pricing: createPricingCopy({ db, rates: clients.rates, now, nowMs }),
    transfers: createBatcher<string, TransferRow | undefined>({ run: (ids) => findTransfers(db, ids) }),
    acceptedHere: createOrdersAcceptedHere(nowMs),
    payouts: createBatcher<string, PayoutOnRecord | undefined>({ run: (ids) => findPayoutsOf(db, ids) }),
    payoutsById: createBatcher<string, PayoutOfTransfer | undefined>({
      run: (ids) => findPayoutsWithTransfers(service.database, ids),
    }),
    lateCalls: createBatcher<IntegrationLog[], undefined>({
      async run(calls) {
        await recordCalls(db, calls.flat());
        return calls.map(() => undefined);
      },
    }),
    byClientKey: createBatcher<ClientKey, TransferRow | undefined>({ run: (keys) => findByClientKeys(db, keys) }),
    ...quoteBatchers(db),
    inserts: createBatcher<NewTransfer, Insertion>({ run: insertingInto(db, publishCommitted) }),
    transitions: createBatcher<Transition, boolean>({ run: commitSteps }),
    notes: createBatcher<Transition, boolean>({ run: commitSteps, paceMs: NOTES_PACE_MS }),
    limits: createLimitCopy(db),
    backlog: createBacklogGate({
      look: (sinceMs) => {
        const at = now();
        return lookAtBacklog(db, { since: new Date(at.getTime() - sinceMs), now: at });
      },
      maxWaitMs: settings.VUKA_BACKLOG_SECONDS * 1_000,
      always: settings.VUKA_BACKLOG_ALWAYS,
      nowMs,
    }),
    payoutGraceMs: settings.VUKA_PAYOUT_GRACE_SECONDS * 1_000,
    payoutCheckMs: settings.VUKA_PAYOUT_CHECK_SECONDS * 1_000,
    stuckAfterMs: settings.VUKA_STUCK_AFTER_SECONDS * 1_000,
    statementLagMs: settings.VUKA_STATEMENT_LAG_SECONDS * 1_000,
    bankLagMs: settings.VUKA_BANK_LAG_SECONDS * 1_000,
    kickRelay,
    publishCommitted,
    ...partsOf(Object.values(clients), provider),
  };
}

function quoteBatchers(db: Db) {
  return {
    quotes: createBatcher<string, QuoteRow | undefined>({
      run: async (ids) => {
        const found = new Map((await findQuotes(db, ids)).map((quote) => [quote.id, quote]));
        return ids.map((id) => found.get(id));
      },
    }),
    quoteInserts: createBatcher<QuoteRow, undefined>({
      run: async (rows) => {
        await insertQuotes(db, rows);
        return rows.map(() => undefined);
      },
    }),
  };
}

function noticing({ metrics, logger }: Pick<Service<Schema>, 'metrics' | 'logger'>) {
  const observeEnds = createEndsObserver(metrics);
  return (taken: Transition[]) => {
    observeEnds(taken);
    logSteps(logger, taken);
  };
}

function insertingInto(db: Db, publishCommitted: Service<Schema>['publishCommitted']) {
  const insert = bisecting(async (transfers: NewTransfer[]) => {
    const { insertions, pack } = await insertTransfersOnce(db, transfers);
    publishCommitted(pack);
    return insertions;
  });
  return (transfers: NewTransfer[]) => insertFairly(transfers, insert);
}

/** The parts that a stopping process must close. */
function partsOf(clients: ServiceClient[], provider: PayoutProvider): { clients: Part; providerCalls: Part } {
  return {
    clients: {
      name: 'clients',
      start: () => undefined,
      stop: async () => {
        await Promise.all(clients.map((http) => http.close()));
      },
    },
    /**
     * Stops before the parts that wait for these calls: a provider that hangs must not keep the process from exiting.
     */
    providerCalls: {
      name: 'calls to the provider',
      stopsFirst: true,
      start: () => undefined,
      stop: () => provider.close(),
    },
  };
}
