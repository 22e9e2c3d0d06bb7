import type { ActiveFailure, FailureLab } from '@vuka/contracts/http/failure-lab';
import { SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import { FAILURE_SCENARIOS, FailureScenarioId } from '@vuka/contracts/http/failure-scenarios';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer } from './error-answer.ts';
import type { World } from './handlers.ts';

/** What the mocked server knows of the simulated network. */
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

/** Two scenarios that are on, and what they have done so far. */
export const misbehaving = (): Partial<FailureLabWorld> => ({
  failures: [
    failure('silence_after_payment', { payoutsLeft: 3, currency: 'TZS', phone: '+255763456700' }),
    failure('html_503', { payoutsLeft: null }),
  ],
  otherFailures: 1,
  network: totals.map((each) => ({ ...each, paid: sum(each.paid.count + 1, each.paid.amount) })),
  books: totals.map((each) => ({ ...each, inFlight: sum(each.inFlight.count + 1, '46060.00') })),
});

function failure(scenario: FailureScenarioId, of: Partial<ActiveFailure>): ActiveFailure {
  return {
    scenario,
    payoutsLeft: 1,
    currency: null,
    phone: null,
    switchedOnAt: '2026-01-12T06:30:00.000Z',
    ...of,
  };
}

export function failureLabHandlers(world: World) {
  const answer = () => {
    if (!world.isDemo) return errorAnswer('not_found', 'There is no failure lab here');
    const scenarios = FailureScenarioId.options.map((id) => ({ id, ...FAILURE_SCENARIOS[id] }));
    const { failures: active, otherFailures: otherActive, network, books } = world;
    return HttpResponse.json<FailureLab>({ scenarios, active, otherActive, network, books });
  };
  const others = (scenario: unknown) => world.failures.filter((each) => each.scenario !== scenario);
  return [
    http.get('*/api/admin/failure-lab', answer),
    http.post('*/api/admin/failure-lab/off', () => {
      Object.assign(world, { failures: [], otherFailures: 0 });
      return answer();
    }),
    http.post('*/api/admin/failure-lab/:scenario/on', async ({ params, request }) => {
      const scenario = z.parse(FailureScenarioId, params.scenario);
      const { payouts, currency = null, phone = null } = z.parse(SwitchOnFailure, await request.json());
      world.failures = [...others(scenario), failure(scenario, { payoutsLeft: payouts, currency, phone })];
      return answer();
    }),
    http.post('*/api/admin/failure-lab/:scenario/off', ({ params }) => {
      world.failures = others(params.scenario);
      return answer();
    }),
  ];
}
