import type { FailureLab } from '@vuka/contracts/http/failure-lab';
import { SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import { FAILURE_SCENARIOS, FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer } from './error-answer.ts';
import { failure } from './failure-lab-fixtures.ts';
import type { World } from './world.ts';

export function failureLabHandlers(world: World) {
  const answer = () => {
    if (!world.isDemo) return errorAnswer('not_found', reason('failure_lab_not_found'));
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
