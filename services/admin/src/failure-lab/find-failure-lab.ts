import { WalletCurrency } from '@vuka/contracts/http/common';
import { type ActiveFailure, type FailureLab, PayoutTotals } from '@vuka/contracts/http/failure-lab';
import { FAILURE_SCENARIOS, FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { BookedPayouts } from '@vuka/contracts/internal/transfers';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import * as z from 'zod/mini';

export interface FindFailureLabDeps {
  simulator: ServiceClient;
  transfers: ServiceClient;
}

const SimulatorScenarios = z.object({
  scenarios: z.array(
    z.object({
      name: z.optional(z.string()),
      match: z.object({ currency: z.optional(WalletCurrency), msisdn: z.optional(z.string()) }),
      left: z.nullable(z.number()),
      createdAt: z.string(),
    }),
  ),
});
const SimulatorTotals = z.object({ totals: z.array(PayoutTotals) });

const scenarios = FailureScenarioId.options.map((id) => ({ id, ...FAILURE_SCENARIOS[id] }));

/** The active scenarios: those of the lab, and the number of those that were switched on in the simulator itself. */
export async function findActive(simulator: ServiceClient): Promise<Pick<FailureLab, 'active' | 'otherActive'>> {
  const inForce = (await simulator.get('/sim/scenarios', SimulatorScenarios)).scenarios;
  const active = inForce.flatMap(({ name, match, left, createdAt }): ActiveFailure[] => {
    const scenario = FailureScenarioId.safeParse(name);
    if (!scenario.success) return [];
    return [
      {
        scenario: scenario.data,
        payoutsLeft: left,
        currency: match.currency ?? null,
        phone: match.msisdn === undefined ? null : `+${match.msisdn}`,
        switchedOnAt: createdAt,
      },
    ];
  });
  return { active, otherActive: inForce.length - active.length };
}

/** The available and the active scenarios, and the payout totals by the network's books and by ours. */
export async function findFailureLab(deps: FindFailureLabDeps, caller: string): Promise<FailureLab> {
  // The switches, above all "off", are useful even while our own books are unavailable.
  const books = await deps.transfers.get('/internal/payout-totals', BookedPayouts, { caller }).catch(() => null);
  // Read after our books: a payout that the books show as paid is then paid in the network's totals too.
  const [inForce, network] = await Promise.all([
    findActive(deps.simulator),
    deps.simulator.get('/sim/totals', SimulatorTotals),
  ]);
  return { scenarios, ...inForce, network: network.totals, books: books?.totals ?? null };
}
