import * as z from 'zod/mini';
import { CALLBACK_FAILURES } from './failure-lab-callbacks.ts';
import { PAYOUT_FAILURES } from './failure-lab-payouts.ts';

/** Every failure that the simulated mobile network can produce, and what must happen to the money. */
export const FAILURE_SCENARIOS = { ...PAYOUT_FAILURES, ...CALLBACK_FAILURES };

export type FailureScenarioId = keyof typeof FAILURE_SCENARIOS;
const ids = Object.keys(FAILURE_SCENARIOS) as [FailureScenarioId, ...FailureScenarioId[]];
export const FailureScenarioId = z.enum(ids);
