import { durabilityCheck } from '@vuka/service-kit/durability';
import { firstAnswersPruning } from '@vuka/service-kit/first-answers';
import { listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { consumerPart, createService } from '@vuka/service-kit/service';
import { buildApp } from './app.ts';
import { buildDeps } from './build-deps.ts';
import { ACCOUNTS_QUEUE, eraseClosedAccount } from './closing/erase-account.ts';
import { resumeForgotten } from './closing/stop-account.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { createReceiptCodes } from './history/receipt-codes.ts';
import { createProvider } from './payouts/create-provider.ts';
import { PRICING_QUEUE } from './pricing/pricing-copy.ts';
import { pruneQuotes } from './quotes/quote.store.ts';
import { compareFloats, floatDiffersSeconds } from './reconciliation/compare-float.ts';
import { countUnreconciled, reconcileNextDay } from './reconciliation/reconcile-day.ts';
import { advanceFrom } from './saga/advance-transfer.ts';
import { readLongestWaits } from './withdrawals/waiting-withdrawals.ts';
import { applySettings, SETTINGS_QUEUE } from './withdrawals/withdrawal-limits.ts';
import { workerParts } from './worker-parts.ts';

const PRUNE_EVERY_MS = 600_000;
const RESUME_EVERY_MS = 30_000;
/** Once yesterday has been compared, a run only reads a small table. */
const RECONCILE_EVERY_MS = 900_000;
const COMPARE_FLOATS_EVERY_MS = 600_000;

const settings = config();
const service = createService<Schema>({ name: 'transfers', settings, migrations, indexScansOnly: true });
const deps = buildDeps(service, settings, createProvider(settings));
const oldReceiptKeys = settings.VUKA_RECEIPT_OLD_KEYS.split(',').filter((key) => key.trim() !== '');
const receiptCodes = createReceiptCodes(settings.VUKA_RECEIPT_KEY, oldReceiptKeys);
service.logger.info({ publicKey: receiptCodes.publicKey }, 'receipts are signed with this key');
const app = buildApp({
  ...service,
  ...deps,
  receiptCodes,
  rememberAccepted: settings.VUKA_WITH_WORKER ? deps.acceptedHere.remember : undefined,
  advanceSoon: (transfer) => {
    advanceFrom(deps, transfer).catch((error: unknown) =>
      service.logger.warn({ err: error, transferId: transfer.id }, 'transfer not advanced; the sweep will'),
    );
  },
});

service.metrics.gauge('vuka_days_unreconciled', 'Days not yet compared with the provider’s statement', () =>
  countUnreconciled(deps).catch(() => Number.NaN),
);
service.metrics.gauge(
  'vuka_payout_float_differs_seconds',
  'For how long the float has differed from the provider’s balance',
  () => floatDiffersSeconds(service.db).catch(() => Number.NaN),
);
service.metrics.gauges(
  'vuka_withdrawal_waits_seconds',
  'For how long the oldest withdrawal has waited for an administrator',
  ['step'],
  () => readLongestWaits(service.db),
);

service.run({
  first: [deps.clients, deps.providerCalls, listeningPart(app, { host: settings.HOST, port: settings.PORT })],
  whenReady: [
    durabilityCheck(service),
    consumerPart(service, PRICING_QUEUE, 10, deps.pricing.apply),
    consumerPart(service, SETTINGS_QUEUE, 10, (delivery) => applySettings(service.db, delivery)),
    consumerPart(service, ACCOUNTS_QUEUE, 10, (delivery) => eraseClosedAccount(deps, delivery)),
    pollingPart({
      name: 'stopped accounts',
      everyMs: RESUME_EVERY_MS,
      logger: service.logger,
      run: () => resumeForgotten(deps),
    }),
    pollingPart({
      name: 'quote pruning',
      everyMs: PRUNE_EVERY_MS,
      logger: service.logger,
      run: () => pruneQuotes(service.db, new Date()),
    }),
    firstAnswersPruning(service),
    pollingPart({
      name: 'reconciliation',
      everyMs: RECONCILE_EVERY_MS,
      logger: service.logger,
      run: async () => void (await reconcileNextDay(deps)),
    }),
    pollingPart({
      name: 'comparison of the float',
      everyMs: COMPARE_FLOATS_EVERY_MS,
      logger: service.logger,
      run: () => compareFloats(deps),
    }),
    ...(settings.VUKA_WITH_WORKER ? workerParts(service, deps) : []),
  ],
});
