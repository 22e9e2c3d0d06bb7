import { type Part, pollingPart } from '@vuka/service-kit/poll';
import { consumerPart, type Service } from '@vuka/service-kit/service';
import type { buildDeps } from './build-deps.ts';
import type { Schema } from './db/schema.ts';
import { countStuck } from './history/summarise-transfers.ts';
import { EXECUTION_QUEUE, handleCommand } from './saga/handle-command.ts';
import { sweepPayouts, sweepSteps } from './saga/sweep.ts';

/** Commands in progress at once: batching needs many, and a slow provider must not delay the others. */
const PREFETCH = 1_000;
const SWEEP_EVERY_MS = 1_000;

/** The consumer of commands and the sweeps, which execute transfers: in a separate process, or beside the API. */
export function workerParts(service: Service<Schema>, deps: ReturnType<typeof buildDeps>): Part[] {
  const { logger, metrics } = service;
  metrics.gauge('vuka_transfers_stuck', 'Transfers in the stuck list', () =>
    countStuck(deps).then(
      ({ count }) => count,
      () => Number.NaN,
    ),
  );
  return [
    consumerPart(service, EXECUTION_QUEUE, PREFETCH, (delivery) => handleCommand(deps, delivery)),
    pollingPart({ name: 'sweep', everyMs: SWEEP_EVERY_MS, logger, run: () => sweepSteps(deps) }),
    pollingPart({ name: 'sweep of payouts', everyMs: SWEEP_EVERY_MS, logger, run: () => sweepPayouts(deps) }),
  ];
}
