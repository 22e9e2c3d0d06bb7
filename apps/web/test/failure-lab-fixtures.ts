import type { ActiveFailure, FailureLab } from '@vuka/contracts/http/failure-lab';
import type { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';

/** The mock server's state of the simulated network. */
export interface FailureLabWorld {
  /** Whether payouts go to a simulator. */
  isDemo: boolean;
  failures: ActiveFailure[];
  otherFailures: number;
  network: FailureLab['network'];
  books: FailureLab['books'];
}

const sum = (count: number, amount: string) => ({ count, amount });
const totals: FailureLab['network'] = [
  {
    currency: 'KES',
    paid: sum(18, '184500.00'),
    failed: sum(2, '9000.00'),
    inFlight: sum(0, '0.00'),
  },
  {
    currency: 'TZS',
    paid: sum(126, '3412800.00'),
    failed: sum(4, '92120.00'),
    inFlight: sum(1, '23030.00'),
  },
];

export const failureLabWorld = (): FailureLabWorld => ({
  isDemo: true,
  failures: [],
  otherFailures: 0,
  network: totals,
  books: totals,
});

/** Two active scenarios, and their effects so far. */
export const misbehaving = (): Partial<FailureLabWorld> => ({
  failures: [
    failure('silence_after_payment', { payoutsLeft: 3, currency: 'TZS', phone: '+255763456700' }),
    failure('html_503', { payoutsLeft: null }),
  ],
  otherFailures: 1,
  network: totals.map((each) => ({ ...each, paid: sum(each.paid.count + 1, each.paid.amount) })),
  books: totals.map((each) => ({ ...each, inFlight: sum(each.inFlight.count + 1, '46060.00') })),
});

export function failure(scenario: FailureScenarioId, of: Partial<ActiveFailure>): ActiveFailure {
  return {
    scenario,
    payoutsLeft: 1,
    currency: null,
    phone: null,
    switchedOnAt: '2026-01-12T06:30:00.000Z',
    ...of,
  };
}
