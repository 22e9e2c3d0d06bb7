import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Money, Timestamp, WalletCurrency } from './common.ts';
import { FAILURE_GROUPS, FAILURE_OUTCOMES } from './failure-lab-scenario.ts';
import { FailureScenarioId } from './failure-lab-scenarios.ts';
import { RecipientPhone } from './recipients.ts';

export const FailureScenario = z.object({
  id: FailureScenarioId,
  group: z.enum(FAILURE_GROUPS),
  name: z.string(),
  /** What the mobile network does. */
  does: z.string(),
  /** Where the money must end up, and how it gets there. */
  outcome: z.enum(FAILURE_OUTCOMES),
  money: z.string(),
});
export type FailureScenario = z.infer<typeof FailureScenario>;

/** A scenario that is switched on. */
export const ActiveFailure = z.object({
  scenario: FailureScenarioId,
  /** How many more payouts it affects; null: every payout until it is switched off. */
  payoutsLeft: z.nullable(z.number()),
  /** Null: of any currency. */
  currency: z.nullable(WalletCurrency),
  /** Null: to any number. */
  phone: z.nullable(z.string()),
  switchedOnAt: Timestamp,
});
export type ActiveFailure = z.infer<typeof ActiveFailure>;

const PayoutSum = z.object({ count: z.number(), amount: Money });

/** Totals of payouts in one currency: paid, certainly not paid, and open. */
export const PayoutTotals = z.object({
  currency: WalletCurrency,
  paid: PayoutSum,
  failed: PayoutSum,
  inFlight: PayoutSum,
});
export type PayoutTotals = z.infer<typeof PayoutTotals>;

/** `GET /api/admin/failure-lab`. 404 wherever payouts go to a real provider. */
export const FailureLab = z.object({
  scenarios: z.array(FailureScenario),
  active: z.array(ActiveFailure),
  /** Scenarios that were switched on in the simulator itself. */
  otherActive: z.number(),
  /** What the simulated network has done, by its own ledger; currencies without payouts are omitted. */
  network: z.array(PayoutTotals),
  /** The same totals from our books; null if they are unavailable. */
  books: z.nullable(z.array(PayoutTotals)),
});
export type FailureLab = z.infer<typeof FailureLab>;

const payoutsError = { error: reason('payouts_out_of_range') };

/** The body of `POST /api/admin/failure-lab/{scenario}/on`. A scenario that is already on starts again. */
export const SwitchOnFailure = z.object({
  /** How many payouts it affects; null: every payout until it is switched off. */
  payouts: z.nullable(
    z.number(payoutsError).check(z.int(payoutsError), z.gte(1, payoutsError), z.lte(1_000, payoutsError)),
  ),
  currency: z.optional(WalletCurrency),
  phone: z.optional(RecipientPhone),
});
export type SwitchOnFailure = z.infer<typeof SwitchOnFailure>;
