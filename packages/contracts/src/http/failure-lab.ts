import * as z from 'zod/mini';
import { Money, Timestamp, WalletCurrency } from './common.ts';
import { FailureScenarioId } from './failure-scenarios.ts';
import { FAILURE_GROUPS, FAILURE_OUTCOMES } from './failure-text.ts';
import { RecipientPhone } from './recipients.ts';

export const FailureScenario = z.object({
  id: FailureScenarioId,
  group: z.enum(FAILURE_GROUPS),
  name: z.string(),
  /** What the mobile network does. */
  does: z.string(),
  /** Where the money must be in the end, and how it comes there. */
  outcome: z.enum(FAILURE_OUTCOMES),
  money: z.string(),
});
export type FailureScenario = z.infer<typeof FailureScenario>;

/** A scenario that is switched on. */
export const ActiveFailure = z.object({
  scenario: FailureScenarioId,
  /** How many payouts it is still to meet; null: every one until it is switched off. */
  payoutsLeft: z.nullable(z.number()),
  /** Null: of any currency. */
  currency: z.nullable(WalletCurrency),
  /** Null: to any number. */
  phone: z.nullable(z.string()),
  switchedOnAt: Timestamp,
});
export type ActiveFailure = z.infer<typeof ActiveFailure>;

const PayoutSum = z.object({ count: z.number(), amount: Money });

/** What became of payouts of one currency: what was paid, what certainly was not, what is still open. */
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
  /** Scenarios that somebody gave to the simulator itself. */
  otherActive: z.number(),
  /** What the simulated network has done, by its own ledger; a currency without payouts is left out. */
  network: z.array(PayoutTotals),
  /** The same as our books have it; null while they cannot be asked. */
  books: z.nullable(z.array(PayoutTotals)),
});
export type FailureLab = z.infer<typeof FailureLab>;

const payoutsError = { error: 'Payouts must be a whole number from 1 to 1,000' };

/** The body of `POST /api/admin/failure-lab/{scenario}/on`. A scenario that is on already is switched on anew. */
export const SwitchOnFailure = z.object({
  /** How many payouts it strikes; null: every one until it is switched off. */
  payouts: z.nullable(
    z.number(payoutsError).check(z.int(payoutsError), z.gte(1, payoutsError), z.lte(1_000, payoutsError)),
  ),
  currency: z.optional(WalletCurrency),
  phone: z.optional(RecipientPhone),
});
export type SwitchOnFailure = z.infer<typeof SwitchOnFailure>;
